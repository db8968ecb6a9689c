-- What the cache does in Valkey or Redis, each call of it at once and alone. Called with the four keys of an application
-- and ARGV: what to do, the time in milliseconds, the application's bound in bytes, and then what that needs.
--
-- items   hash        key -> record (core/cache-record.ts)
-- names   sorted set  keys, in the order of their bytes
-- order   sorted set  version (8 bytes) .. key, by expiry: the order in which items leave
-- state   hash        version, items, bytes, hits, misses, evictions
--
-- A key that begins with the byte 0xff is no client's, and is not among the names.
local items, names, order, state = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local what, now, max_bytes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local header, header_bytes, overhead, safe = '>dddI4', 28, 160, 9007199254740991
local fields = { 'version', 'items', 'bytes', 'hits', 'misses', 'evictions' }

-- Lua's own way keeps 14 digits.
local function text(number) return string.format('%.0f', number) end

local values = redis.call('HMGET', state, unpack(fields))
local counts = {}
for index, field in ipairs(fields) do counts[field] = tonumber(values[index] or 0) end

local function save()
  local pairs_of = {}
  for _, field in ipairs(fields) do
    pairs_of[#pairs_of + 1] = field
    pairs_of[#pairs_of + 1] = text(counts[field])
  end
  redis.call('HSET', state, unpack(pairs_of))
end

local function hidden(key) return string.byte(key, 1) == 255 end
local function counted(key, record) return #key + #record - header_bytes + overhead end

local function decode(record)
  local expires_at, version, expiration, byte_size = struct.unpack(header, record)
  return { expires_at = expires_at, version = version, expiration = expiration, byte_size = byte_size }
end

local function find(key)
  local record = redis.call('HGET', items, key)
  if not record then return nil end
  local found = decode(record)
  found.record = record
  found.live = found.expires_at > now
  return found
end

local function remove(key, found)
  redis.call('HDEL', items, key)
  redis.call('ZREM', order, struct.pack('>d', found.version) .. key)
  counts.bytes = counts.bytes - counted(key, found.record)
  if hidden(key) then return end
  redis.call('ZREM', names, key)
  counts.items = counts.items - 1
end

local function make_room(bytes)
  while counts.bytes + bytes > max_bytes do
    local leaving = redis.call('ZRANGE', order, 0, 31)
    if #leaving == 0 then return end
    for _, place in ipairs(leaving) do
      if counts.bytes + bytes <= max_bytes then return end
      local key = string.sub(place, 9)
      local found = find(key)
      if found.live and not hidden(key) then counts.evictions = counts.evictions + 1 end
      remove(key, found)
    end
  end
end

-- The new version; nil: there is no room to be made.
local function put(key, before, json, byte_size, expiration, expires_at)
  local version = math.max(counts.version + 1, now * 2048)
  local at = tonumber(expires_at)
  if at > now then
    local record = struct.pack(header, at, version, tonumber(expiration), tonumber(byte_size)) .. json
    local bytes = counted(key, record)
    if bytes > max_bytes then return nil end
    if before then remove(key, before) end
    make_room(bytes)
    redis.call('HSET', items, key, record)
    redis.call('ZADD', order, expires_at, struct.pack('>d', version) .. key)
    counts.bytes = counts.bytes + bytes
    if not hidden(key) then
      redis.call('ZADD', names, 0, key)
      counts.items = counts.items + 1
    end
    counts.version = version
    return version, record
  end
  if before then remove(key, before) end
  counts.version = version
  return version
end

-- '-': asks for nothing; '*': any; else versions, each followed by a comma.
local function named(versions, found)
  if not found then return false end
  return versions == '*' or string.find(',' .. versions, ',' .. text(found.version) .. ',', 1, true) ~= nil
end

local function holds(match, none_match, found)
  if match ~= '-' and not named(match, found) then return false end
  return none_match == '-' or not named(none_match, found)
end

local function whole_number(json)
  if #json > 19 then return nil end
  local digits = string.sub(json, 2, -2)
  if not string.find(digits, '^-?%d+$') or digits == '-0' then return nil end
  local number = tonumber(digits)
  if math.abs(number) > safe or text(number) ~= digits then return nil end
  return number
end

local function increment(key, found, by, expiration, expires_at)
  local before, seen = 0, found and found.live
  if seen then before = whole_number(string.sub(found.record, header_bytes + 1)) end
  if not before then return { 'failure', 'not_a_number' } end
  local sum = before + tonumber(by)
  if math.abs(sum) > safe then return { 'failure', 'overflow' } end
  if seen then expiration, expires_at = text(found.expiration), text(found.expires_at) end
  local digits = text(sum)
  local json = '"' .. digits .. '"'
  local version, record = put(key, found, json, #digits, expiration, expires_at)
  if not version then return { 'failure', 'full' } end
  if not record then
    record = struct.pack(header, tonumber(expires_at), version, tonumber(expiration), #digits) .. json
  end
  return { 'item', record }
end

local function run_one(op, key, json, byte_size, expiration, expires_at, match, none_match)
  if op == 'tally' then
    counts.hits = counts.hits + tonumber(json)
    counts.misses = counts.misses + tonumber(byte_size)
    return { 'none' }
  end
  local found = find(key)
  local seen = found and found.live and found or nil
  if op == 'get' then return seen and { 'item', seen.record } or { 'missing' } end
  if op == 'increment' then return increment(key, found, json, expiration, expires_at) end
  if not holds(match, none_match, seen) then return { 'failure', 'precondition' } end
  if op == 'delete' then
    if found then remove(key, found) end
    return { 'none' }
  end
  local version = put(key, found, json, byte_size, expiration, expires_at)
  return version and { 'entry', text(version) } or { 'failure', 'full' }
end

-- ARGV from 4: id of the request or '', its fingerprint, until when it is kept; then eight for each operation.
local function run()
  local id, fingerprint, kept_until = ARGV[4], ARGV[5], ARGV[6]
  local once_key = '\255' .. id
  local remembered = id ~= '' and find(once_key) or nil
  local known
  if remembered and remembered.live then
    known = cmsgpack.unpack(string.sub(remembered.record, header_bytes + 1))
    if known.fingerprint ~= fingerprint then return { 'used' } end
  end
  local outcomes, kept, any = {}, {}, false
  for at = 7, #ARGV, 8 do
    local index = #outcomes + 1
    local outcome = known and known.outcomes[index]
    -- What was read is read anew: it may be large, and reading twice does no harm.
    if not outcome or ARGV[at] == 'get' then outcome = run_one(unpack(ARGV, at, at + 7)) end
    outcomes[index] = outcome
    kept[index] = ARGV[at] == 'get' and { 'missing' } or outcome
    any = any or outcome[1] ~= 'failure'
  end
  if id ~= '' and not known and any then
    local answer = cmsgpack.pack({ fingerprint = fingerprint, outcomes = kept })
    put(once_key, find(once_key), answer, 0, 0, kept_until)
  end
  save()
  return outcomes
end

-- ARGV from 4: where the names begin and end (as ZRANGEBYLEX has them), and how many to look at.
local function list()
  local answer = {}
  for _, key in ipairs(redis.call('ZRANGEBYLEX', names, ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])) do
    local record = redis.call('HGET', items, key)
    answer[#answer + 1] = key
    answer[#answer + 1] = string.sub(record, 1, header_bytes)
  end
  return answer
end

local function remove_all(keys)
  local seen = 0
  for _, key in ipairs(keys) do
    local found = find(key)
    if found.live and not hidden(key) then seen = seen + 1 end
    remove(key, found)
  end
  if #keys > 0 then save() end
  return seen
end

-- One step: how many a client could see, how many there were, and the last.
local function clear()
  local keys = redis.call('ZRANGEBYLEX', names, ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])
  return { remove_all(keys), #keys, keys[#keys] or '' }
end

local function keys_of(places)
  local keys = {}
  for index, place in ipairs(places) do keys[index] = string.sub(place, 9) end
  return keys
end

-- One step through everything, and the counts at the end.
local function forget()
  local keys = keys_of(redis.call('ZRANGE', order, 0, ARGV[4] - 1))
  local seen = remove_all(keys)
  if #keys < tonumber(ARGV[4]) then redis.call('DEL', state) end
  return { seen, #keys }
end

local function sweep()
  local places = redis.call('ZRANGEBYSCORE', order, '-inf', ARGV[2], 'LIMIT', 0, ARGV[4])
  remove_all(keys_of(places))
  return { #places }
end

local all = { run = run, list = list, clear = clear, forget = forget, sweep = sweep }
return all[what]()
