-- A whole number as text. Never join a number to a text with `..`: Lua writes 1.7e+15, and versions differ.
local function whole(number)
  return string.format('%.0f', number)
end
