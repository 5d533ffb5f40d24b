-- @include lifetimes
-- The live record and its milliseconds left, or false and 0; the fence and the oid of its last holder, 0 and nil where
-- Redis has none. A record without a TTL is another writer's: a day at a time.
local function stored()
  local record = redis.call('GET', KEYS[1])
  local left = record and redis.call('PTTL', KEYS[1]) or 0
  if left == -1 then left = DAY end
  if left <= 0 then record, left = false, 0 end
  local fence, last = string.match(redis.call('GET', KEYS[3]) or '', '^(%d+) (.*)$')
  return record, left, tonumber(fence) or 0, last
end
