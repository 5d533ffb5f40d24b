--[[
  Holds the entity while one request writes. Free: acquired, as by a claim. The holder's own: a session beside those of
  the open forms, unless another write of this holder is under way. The sessions of writes begin with `write `.

  KEYS  1 lock  2 index  3 fence  4 sessions
  ARGV  1 holder oid  2 session  3 deadline (ms of Redis' clock, 0 = none)  4 publish (plain | sharded | off)  5 channel
        6 lease (ms)  7 record for a free entity (JSON)  8 the fence on which the write rests (0 = none)
  Reply { status, record | false, left (ms), at (µs), fence, fence before, other sessions }
        status: acquired | own | held | busy | stale | late
]]
-- @include clock
-- @include deadline
-- @include stored
-- @include holder
-- @include hold
-- @include publish
local holder, session, lease, mine = ARGV[1], ARGV[2], tonumber(ARGV[6]), tonumber(ARGV[8])
local at, now = clock()
if isLate(ARGV[3], now) then return { 'late', false, 0, at, 0, 0, 0 } end

local record, left, before, last = stored()
if record and holderOf(record) ~= holder then return { 'held', record, left, at, before, before, 0 } end

local listed = record and last == holder and redis.call('ZRANGEBYSCORE', KEYS[4], '(' .. whole(now), '+inf') or {}
local isWriting, lostByRedis = false, before == 0 and mine <= now and mine > now - DAY
for _, other in ipairs(listed) do isWriting = isWriting or string.sub(other, 1, 6) == 'write ' end
if isWriting then
  return { 'busy', record, left, at, before, before, 0 }
elseif mine > 0 and mine ~= before and not lostByRedis then
  return { 'stale', record, left, at, before, before, 0 }
end

local status, operation, ends = 'own', 'Renewed', now + left
local isForeign = record and #listed == 0
if not record then status, operation, record = 'acquired', 'Acquired', ARGV[7] end
local isLonger = lease > left
left = math.max(left, lease)
local fence, others = hold(holder, session, record, left, lease, now, before, last, lostByRedis and mine)
-- Another writer's record has no session: it gets the one of clients without any, so that it outlives this write.
if isForeign then redis.call('ZADD', KEYS[4], whole(ends), '') end
if not isLonger then return { status, record, left, at, fence, before, others } end
publish(ARGV[4], ARGV[5], operation, record, left, fence, at)
return { status, record, left, at, fence, before, others }
