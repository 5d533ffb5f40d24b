--[[
  Takes the lock from the holder that the taker saw, and from nobody else. Free: acquired. The taker's own by now: as a
  claim, session added and record kept.

  KEYS  1 lock  2 index  3 fence  4 sessions
  ARGV  1 holder oid (the taker)  2 session  3 deadline (ms of Redis' clock, 0 = none)
        4 publish (plain | sharded | off)  5 channel  6 lease (ms)  7 the taker's record (JSON)  8 oid of the holder seen
  Reply { status, record | false, left (ms), at (µs), fence, fence before, other sessions }
        status: acquired | own | held | late
]]
-- @include clock
-- @include deadline
-- @include stored
-- @include holder
-- @include hold
-- @include publish
local holder, session, lease = ARGV[1], ARGV[2], tonumber(ARGV[6])
local at, now = clock()
if isLate(ARGV[3], now) then return { 'late', false, 0, at, 0, 0, 0 } end

local record, left, before, last = stored()
local current = record and holderOf(record)
if record and current ~= holder and current ~= ARGV[8] then
  return { 'held', record, left, at, before, before, 0 }
end

local status, operation = 'acquired', record and 'TakenOver' or 'Acquired'
if current == holder then status, operation, left = 'own', 'Renewed', math.max(left, lease)
else record, left = ARGV[7], lease end
local fence, others = hold(holder, session, record, left, lease, now, before, last)
publish(ARGV[4], ARGV[5], operation, record, left, fence, at)
return { status, record, left, at, fence, before, others }
