-- @include lifetimes
-- @include whole
-- The holder's other open forms, beside the one that ends at `own`. One with no more left than the longest grace is on
-- its way out and does not count.
local function otherSessions(own, now)
  local count = redis.call('ZCOUNT', KEYS[4], '(' .. whole(now + MAX_GRACE), '+inf')
  return own > now + MAX_GRACE and count - 1 or count
end
