package redis

import (
	"crypto/sha1"
	"encoding/hex"
)

// The keys of a store, after "{prefix}:". The scripts make the names of the keys of
// peers and owners themselves, which the one hash slot of all keys allows.
const (
	keyMark    = "mark"    // what Open left here first: see ErrLost
	keyClock   = "clock"   // the time of the store
	keyVersion = "version" // the latest version of a record
	keySeen    = "seen"    // hash; peer, message: content 32, token 16, end 16, settled 1, answer
	keyEnds    = "ends"    // sorted set; peer, message, by end
	keyPeer    = "peer:"   // + peer: sorted set; message, by end
	keyBytes   = "bytes"   // hash; peer, or "" for all: bytes of answers
	keyRecords = "records" // hash; name: version 16, end 20, token 16, owner 32, value
	keyNames   = "names"   // sorted set; name, all alike
	keyLasts   = "lasts"   // sorted set; name, by end
	keyOwner   = "owner:"  // + owner that is not nobody: sorted set; name, by end
)

// formatVersion begins the mark.
const formatVersion = "2"

// What scripts answer.
const (
	answerOK       = "ok"
	answerNo       = "no"
	answerFull     = "full"
	answerFresh    = "fresh"
	answerRunning  = "running"
	answerAnswered = "answered"
	answerConflict = "conflict"
	answerUnknown  = "unknown"
	answerLost     = "lost"
	answerSkew     = "skew"
	answerCorrupt  = "corrupt"
)

// prelude begins all scripts. ARGV: the prefix of keys, the mark, the caller's time,
// the greatest difference of clocks, and from the fifth what the script needs. Times
// are in microseconds since 1970, which doubles hold exactly until the year 2255.
const prelude = `
local prefix, mark, now, skew = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
if redis.call('GET', KEYS[1]) ~= mark then return {'lost'} end
local t = redis.call('TIME')
local server = tonumber(t[1]) * 1000000 + tonumber(t[2])
if math.abs(server - now) > skew then return {'skew'} end
local function micro(n) return string.format('%.0f', n) end
local function live(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, micro(ms)) end
end
`

// messages follows the prelude in the scripts of messages.
const messages = `
local seen, ends, bytes, clock = prefix .. 'seen', prefix .. 'ends', prefix .. 'bytes', prefix .. 'clock'
local at = tonumber(redis.call('GET', clock) or '0')
if now > at then
  at = now
  redis.call('SET', clock, micro(at))
end
local function add(field, n)
  if n ~= 0 and redis.call('HINCRBY', bytes, field, micro(n)) == 0 then redis.call('HDEL', bytes, field) end
end
local function used(field) return tonumber(redis.call('HGET', bytes, field) or '0') end
local function remove(id)
  local peer = string.sub(id, 1, 32)
  local answer = math.max(redis.call('HSTRLEN', seen, id) - 65, 0)
  add('', -answer)
  add(peer, -answer)
  redis.call('HDEL', seen, id)
  redis.call('ZREM', ends, id)
  redis.call('ZREM', prefix .. 'peer:' .. peer, string.sub(id, 33))
end
local function sweep(most)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', micro(at), 'LIMIT', 0, most)) do remove(id) end
end
local id = ARGV[5]
local peer = string.sub(id, 1, 32)
local known, last = redis.call('HGET', seen, id), redis.call('ZSCORE', ends, id)
if (known and true or false) ~= (last and true or false) then return {'corrupt'} end
if known then
  if #known < 65 or tonumber(string.sub(known, 49, 64)) ~= tonumber(last) then return {'corrupt'} end
  if at >= tonumber(last) then
    remove(id)
    known = false
  end
end
`

// ARGV: 5 peer and message, 6 content, 7 token, 8 life, 9 messages a peer, 10
// messages, 11 how many milliseconds after the life Redis keeps keys.
const claimScript = prelude + messages + `
if known then
  if string.sub(known, 1, 32) ~= ARGV[6] then return {'conflict'} end
  if string.sub(known, 65, 65) == '1' then return {'answered', string.sub(known, 66)} end
  if string.sub(known, 33, 48) == ARGV[7] then return {'fresh'} end
  return {'running'}
end
sweep(64)
if redis.call('ZCOUNT', ends, '(' .. micro(at), '+inf') >= tonumber(ARGV[10]) then return {'full'} end
local mine = prefix .. 'peer:' .. peer
if redis.call('ZCOUNT', mine, '(' .. micro(at), '+inf') >= tonumber(ARGV[9]) then return {'full'} end
local last = at + tonumber(ARGV[8])
redis.call('HSET', seen, id, ARGV[6] .. ARGV[7] .. string.format('%016.0f', last) .. '0')
redis.call('ZADD', ends, micro(last), id)
redis.call('ZADD', mine, micro(last), string.sub(id, 33))
local ms = math.ceil((last - server) / 1000) + tonumber(ARGV[11])
for _, key in ipairs({seen, ends, mine, bytes}) do live(key, ms) end
return {'fresh'}
`

// ARGV: 5 peer and message, 6 content, 7 answer, 8 bytes a peer, 9 bytes, 10 how many
// milliseconds after the life Redis keeps keys.
const settleScript = prelude + messages + `
if not known or string.sub(known, 1, 32) ~= ARGV[6] then return {'unknown'} end
if string.sub(known, 65, 65) == '1' then return {'ok'} end
local size = #ARGV[7]
if used(peer) + size > tonumber(ARGV[8]) then
  for _, message in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'peer:' .. peer, '-inf', micro(at))) do remove(peer .. message) end
end
if used('') + size > tonumber(ARGV[9]) then sweep(1024) end
if used(peer) + size > tonumber(ARGV[8]) or used('') + size > tonumber(ARGV[9]) then return {'full'} end
redis.call('HSET', seen, id, string.sub(known, 1, 64) .. '1' .. ARGV[7])
add('', size)
add(peer, size)
live(bytes, math.ceil((tonumber(last) - server) / 1000) + tonumber(ARGV[10]))
return {'ok'}
`

// ARGV: 5 name.
const loadScript = prelude + `
local has = redis.call('HGET', prefix .. 'records', ARGV[5])
if not has then return {'no'} end
return {'ok', has}
`

// ARGV: 5 name, 6 old version, 7 "1" to write and "0" to delete, 8 end, 9 token,
// 10 value, 11 records, 12 how many milliseconds after the end Redis keeps keys, 13 the
// owner of a new record, zeros for nobody, 14 records of an owner.
const swapScript = prelude + `
local records, names, lasts = prefix .. 'records', prefix .. 'names', prefix .. 'lasts'
local function remove(name)
  redis.call('ZREM', prefix .. 'owner:' .. string.sub(redis.call('HGET', records, name) or '', 53, 84), name)
  redis.call('HDEL', records, name)
  redis.call('ZREM', names, name)
  redis.call('ZREM', lasts, name)
end
for _, name in ipairs(redis.call('ZRANGEBYSCORE', lasts, '-inf', micro(now), 'LIMIT', 0, 64)) do remove(name) end
local name, old, owner = ARGV[5], ARGV[6], ARGV[13]
local has = redis.call('HGET', records, name)
if has and #has < 84 then return {'corrupt'} end
if has and tonumber(string.sub(has, 17, 36)) <= now then
  remove(name)
  has = false
end
local write = ARGV[7] == '1'
if has and write and string.sub(has, 37, 52) == ARGV[9] then return {'ok'} end
local version = has and string.sub(has, 1, 16) or '0000000000000000'
if version ~= old then return {'no'} end
if not write then
  remove(name)
  return {'ok'}
end
if not has and redis.call('ZCOUNT', lasts, '(' .. micro(now), '+inf') >= tonumber(ARGV[11]) then return {'full'} end
if has then owner = string.sub(has, 53, 84) end
local mine = owner ~= string.rep('\0', 32) and prefix .. 'owner:' .. owner
if not has and mine and redis.call('ZCOUNT', mine, '(' .. micro(now), '+inf') >= tonumber(ARGV[14]) then return {'full'} end
local next = string.format('%016.0f', redis.call('INCR', prefix .. 'version'))
redis.call('HSET', records, name, next .. ARGV[8] .. ARGV[9] .. owner .. ARGV[10])
redis.call('ZADD', names, 0, name)
redis.call('ZADD', lasts, micro(tonumber(ARGV[8])), name)
if mine then redis.call('ZADD', mine, micro(tonumber(ARGV[8])), name) end
local ms = math.ceil((tonumber(ARGV[8]) - server) / 1000) + tonumber(ARGV[12])
for _, key in ipairs({records, names, lasts, mine or nil}) do live(key, ms) end
return {'ok'}
`

// ARGV: 5 the least name, 6 the bound of names, as ZRANGEBYLEX has them, 7 how many.
const listScript = prelude + `
local records, names = prefix .. 'records', prefix .. 'names'
local found, most, from = {'ok'}, tonumber(ARGV[7]), 0
while true do
  local some = redis.call('ZRANGEBYLEX', names, ARGV[5], ARGV[6], 'LIMIT', from, 256)
  for _, name in ipairs(some) do
    local has = redis.call('HGET', records, name)
    if not has or #has < 84 then return {'corrupt'} end
    if tonumber(string.sub(has, 17, 36)) > now then
      if #found > 2 * most then return found end
      found[#found + 1] = name
      found[#found + 1] = has
    end
  end
  if #some < 256 then return found end
  from = from + 256
end
`

// openScript leaves a mark, or finds the one that is there. A store whose mark alone
// is missing has lost data. ARGV: 1 the prefix of keys, 2 a mark.
const openScript = `
local prefix = ARGV[1]
local mark = redis.call('GET', KEYS[1])
if mark then return {'ok', mark} end
for _, key in ipairs({'clock', 'version', 'seen', 'ends', 'records', 'names', 'lasts'}) do
  if redis.call('EXISTS', prefix .. key) == 1 then return {'lost'} end
end
redis.call('SET', KEYS[1], ARGV[2])
return {'ok', ARGV[2]}
`

// script is a script and the name under which Redis keeps it.
type script struct{ text, sha string }

func newScript(text string) script {
	sum := sha1.Sum([]byte(text))
	return script{text, hex.EncodeToString(sum[:])}
}

type scripts struct{ open, claim, settle, load, swap, list script }

func newScripts() scripts {
	return scripts{
		newScript(openScript), newScript(claimScript), newScript(settleScript),
		newScript(loadScript), newScript(swapScript), newScript(listScript),
	}
}
