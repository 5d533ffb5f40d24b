--[[
  Lengthens the lease of a listed session; never adds one to a live lock. A lapsed lock is resumed where nobody else
  came in between: its fence is still the caller's, or Redis lost the fence and the caller's is younger than one lives.
  The record is replaced where it still is the one that the new one was built from; the lease follows in any case.

  KEYS  1 lock  2 index  3 fence  4 sessions
  ARGV  1 holder oid  2 session  3 deadline (ms of Redis' clock, 0 = none)  4 publish (plain | sharded | off)  5 channel
        6 lease (ms)  7 new record (JSON)  8 the record it replaces ('' = none was there)  9 the caller's fence (0 = none)
  Reply { status, record | false, left (ms), at (µs), fence, fence before, other sessions }
        status: acquired | held | lost | late
]]
-- @include clock
-- @include deadline
-- @include stored
-- @include holder
-- @include hold
-- @include publish
local holder, session, lease, mine = ARGV[1], ARGV[2], tonumber(ARGV[6]), tonumber(ARGV[9])
local at, now = clock()
if isLate(ARGV[3], now) then return { 'late', false, 0, at, 0, 0, 0 } end

local record, left, before, last = stored()
if record and holderOf(record) ~= holder then return { 'held', record, left, at, before, before, 0 } end

local listed = redis.call('ZSCORE', KEYS[4], session)
local lostByRedis = not record and before == 0 and mine <= now and mine > now - DAY
local resumable = before > 0 and before == mine and last == holder and listed
if not (record and listed or lostByRedis or not record and resumable) then
  return { 'lost', record, left, at, before, before, 0 }
end

local operation = record and 'Renewed' or 'Acquired'
if not record or record == ARGV[8] then record = ARGV[7] end
left = math.max(left, lease)
local fence, others = hold(holder, session, record, left, lease, now, before, last, lostByRedis and mine)
publish(ARGV[4], ARGV[5], operation, record, left, fence, at)
return { 'acquired', record, left, at, fence, before, others }
