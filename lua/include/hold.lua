-- @include enter
-- @include other-sessions
-- Writes lock, index, fence and session, always together. A different holder than the last advances the fence (or
-- adopts `keep`, where Redis lost its own) and drops the last one's sessions. Answers the fence and the other sessions.
local function hold(holder, session, record, left, lease, now, before, last, keep)
  -- First: out of memory, Redis refuses a script's first write alone, and must not refuse it half-way.
  redis.call('SET', KEYS[1], record, 'PX', whole(left))
  local fence = before
  if last == holder then
    redis.call('PEXPIRE', KEYS[3], whole(DAY))
    redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', whole(now - DAY))
  else
    fence = keep or math.max(before + 1, now)
    redis.call('SET', KEYS[3], whole(fence) .. ' ' .. holder, 'PX', whole(DAY))
    redis.call('DEL', KEYS[4])
  end
  redis.call('ZADD', KEYS[4], whole(now + lease), session)
  redis.call('PEXPIRE', KEYS[4], whole(DAY))
  enter(left, now)
  return fence, last == holder and otherSessions(now + lease, now) or 0
end
