-- A whole number as text. Never join a number to a text with `..`: Lua writes 1.7e+15, and versions differ. Each is
-- written once: that takes half as long as a call to Redis (measured).
local wholes = {}
local function whole(number)
  local text = wholes[number] or string.format('%.0f', number)
  wholes[number] = text
  return text
end
