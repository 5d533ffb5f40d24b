-- The entity's fence and the oid of its last holder; 0 and nil where Redis has none.
local function readFence()
  local fence, holder = string.match(redis.call('GET', KEYS[3]) or '', '^(%d+) (.*)$')
  return tonumber(fence) or 0, holder
end
