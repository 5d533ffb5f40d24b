--[[
  Takes the lock where it is free. For its own holder: adds the session, lengthens the lease, keeps the record.

  KEYS  1 lock  2 index  3 fence  4 sessions
  ARGV  1 holder oid  2 session  3 deadline (ms of Redis' clock, 0 = none)  4 publish (plain | sharded | off)  5 channel
        6 lease (ms)  7 record for a free entity (JSON)
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
if record and holderOf(record) ~= holder then return { 'held', record, left, at, before, before, 0 } end

local status, operation = 'own', 'Renewed'
if not record then status, operation, record = 'acquired', 'Acquired', ARGV[7] end
left = math.max(left, lease)
local fence, others = hold(holder, session, record, left, lease, now, before, last)
publish(ARGV[4], ARGV[5], operation, record, left, fence, at)
return { status, record, left, at, fence, before, others }
