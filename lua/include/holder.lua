-- Who holds a record. One that is not ours to read is held by somebody unknown: '' is nobody's oid.
local function holderOf(record)
  local ok, fields = pcall(cjson.decode, record)
  return ok and type(fields) == 'table' and type(fields.holderOid) == 'string' and fields.holderOid or ''
end
