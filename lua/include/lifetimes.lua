-- Milliseconds: how long a fence outlives its lock, and the longest grace of a release (core/lock-timing.ts).
local DAY, MAX_GRACE = 86400000, 30000
