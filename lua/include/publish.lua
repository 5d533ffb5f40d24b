-- @include whole
-- Tells every node `<fence> <at> <json>`, in the order in which locks change. By pcall: a refusal (no right to the
-- channel, a proxy without it) is no failure of the lock. Literal command names: some proxies look for them.
local function publish(how, channel, operation, record, left, fence, at)
  local message = whole(fence) .. ' ' .. whole(at) .. ' {"operation":"' .. operation .. '","expiresInMs":'
    .. whole(left) .. ',"lock":' .. record .. '}'
  if how == 'plain' then redis.pcall('PUBLISH', channel, message) end
  if how == 'sharded' then redis.pcall('SPUBLISH', channel, message) end
end
