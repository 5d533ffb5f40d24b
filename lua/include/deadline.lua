-- True after the caller's deadline (0 = none): the caller was already told "unknown", and must not hold a lock now.
local function isLate(deadline, now)
  local latest = tonumber(deadline)
  return latest > 0 and now > latest
end
