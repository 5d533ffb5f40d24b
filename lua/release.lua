--[[
  Ends the holder's own listed session, now or after a grace, and the lock with the last one. The lock's end becomes the
  latest end that is left. A foreign, late or unlisted release does nothing. The fence stays.

  KEYS  1 lock  2 index  3 fence  4 sessions
  ARGV  1 holder oid  2 session  3 deadline (ms of Redis' clock, 0 = none)  4 publish (plain | sharded | off)  5 channel
        6 which (one | all sessions)  7 grace (ms)  8 record with its new end (JSON)  9 the one it replaces ('' = none)
  Reply { status, record | false, left (ms), at (µs), fence, fence before, other sessions }
        status: released | kept | gone | held | late
]]
-- @include clock
-- @include deadline
-- @include stored
-- @include holder
-- @include enter
-- @include other-sessions
-- @include publish
local holder, session, all, grace = ARGV[1], ARGV[2], ARGV[6] == 'all', tonumber(ARGV[7])
local at, now = clock()
if isLate(ARGV[3], now) then return { 'late', false, 0, at, 0, 0, 0 } end

local record, left, fence, last = stored()
if record and holderOf(record) ~= holder then return { 'held', record, left, at, fence, fence, 0 } end
if not record and last ~= holder then return { 'gone', false, 0, at, fence, fence, 0 } end

local listed, own = true, 0
if all then redis.call('DEL', KEYS[4])
elseif record and grace > 0 then
  listed = redis.call('ZSCORE', KEYS[4], session)
  own = math.min(tonumber(listed or 0), now + grace)
  if listed then redis.call('ZADD', KEYS[4], whole(own), session) end
else listed = redis.call('ZREM', KEYS[4], session) == 1 end
if not record then return { 'gone', false, 0, at, fence, fence, 0 } end
if not listed then return { 'kept', record, left, at, fence, fence, 0 } end

left = tonumber(redis.call('ZRANGE', KEYS[4], -1, -1, 'WITHSCORES')[2] or 0) - now
if left <= 0 then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], KEYS[1])
  publish(ARGV[4], ARGV[5], 'Released', record, 0, fence, at)
  return { 'released', false, 0, at, fence, fence, 0 }
end
if record == ARGV[9] then record = ARGV[8] end
redis.call('SET', KEYS[1], record, 'PX', whole(left))
enter(left, now)
local others = otherSessions(own, now)
publish(ARGV[4], ARGV[5], 'Renewed', record, left, fence, at)
return { (others > 0 or grace == 0) and 'kept' or 'released', record, left, at, fence, fence, others }
