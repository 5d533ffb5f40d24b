-- @include fence
-- @include enter
-- Writes lock, index, fence and session, always together. A different holder than the last advances the fence (or
-- adopts `keep`, where Redis lost its own) and drops the last one's sessions. Answers the fence, and the one before.
local function hold(holder, session, record, left, lease, now, keep)
  -- First: out of memory, Redis refuses a script's first write alone, and must not refuse it half-way.
  redis.call('SET', KEYS[1], record, 'PX', whole(left))
  local before, last = readFence()
  local fence = before
  if last ~= holder then
    redis.call('DEL', KEYS[4])
    fence = keep or math.max(before + 1, now)
  end
  redis.call('SET', KEYS[3], whole(fence) .. ' ' .. holder, 'PX', whole(DAY))
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', whole(now - DAY))
  redis.call('ZADD', KEYS[4], whole(now + lease), session)
  redis.call('PEXPIRE', KEYS[4], whole(DAY))
  enter(left, now)
  return fence, before
end
