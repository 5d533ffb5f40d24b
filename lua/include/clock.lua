-- Redis' own clock, the only one: microseconds, and the whole milliseconds in which leases and deadlines count.
local function clock()
  local time = redis.call('TIME')
  local at = time[1] * 1e6 + time[2]
  return at, math.floor(at / 1e3)
end
