/**
 * The claim that this project began with, and the floor of ours: takes a free lock, or extends the holder's own. It has
 * no fence, no sessions, no news, no deadline, the application's clock, and an index that ends with the shortest lease.
 *
 * KEYS 1 lock 2 index; ARGV 1 record 2 lease (ms) 3 its end (ms, of the application's clock) 4 holder oid
 */
export const FOUNDING_CLAIM = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('ZADD', KEYS[2], ARGV[3], KEYS[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  return { 1, ARGV[1] }
end
local current = redis.call('GET', KEYS[1])
if cjson.decode(current).holderOid ~= ARGV[4] then return { 0, current } end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], KEYS[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return { 2, ARGV[1] }`;

/** The same without an index, so that nothing can be listed: four lines. KEYS 1 lock; ARGV 1 record 2 lease 3 holder oid */
export const FOUR_LINES = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return { 1, ARGV[1] } end
local current = redis.call('GET', KEYS[1])
if cjson.decode(current).holderOid ~= ARGV[3] then return { 0, current } end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return { 2, ARGV[1] }`;
