-- @include lifetimes
-- @include whole
-- The holder's other open forms. One with no more left than the longest grace is on its way out and does not count.
local function otherSessions(session, now)
  local count = redis.call('ZCOUNT', KEYS[4], '(' .. whole(now + MAX_GRACE), '+inf')
  local own = tonumber(redis.call('ZSCORE', KEYS[4], session) or 0)
  return own > now + MAX_GRACE and count - 1 or count
end
