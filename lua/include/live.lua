-- @include lifetimes
-- The live record and its milliseconds left, or false and 0. One without a TTL is another writer's: a day at a time.
local function live()
  local record = redis.call('GET', KEYS[1])
  local left = record and redis.call('PTTL', KEYS[1]) or 0
  if left == -1 then left = DAY end
  if left <= 0 then return false, 0 end
  return record, left
end
