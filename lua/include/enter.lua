-- @include lifetimes
-- @include whole
-- Lists the lock until it ends. The index outlives any lease by its fixed day, so no short lease takes a long one
-- along; entries that ran out go when others come.
local function enter(left, now)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', whole(now))
  redis.call('ZADD', KEYS[2], whole(now + left), KEYS[1])
  redis.call('PEXPIRE', KEYS[2], whole(DAY))
end
