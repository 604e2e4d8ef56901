import { NetError } from '../fault.ts'

// Raw Snappy format: the uncompressed length, then literals and copies of earlier data.

/** Matches are searched within blocks of this size, so that offsets fit into two bytes. */
const blockSize = 1 << 16
const hashBits = 14
/** Bytes from which on it costs more to compress than to look whether that was done. */
const minShared = 512
const table = new Uint16Array(1 << hashBits)

function fault(reason: string): NetError {
  return new NetError({ code: 'BAD_SNAPPY', reason })
}

const compressed = new WeakMap<Uint8Array, Uint8Array>()

/** Compresses into one raw block, once however many peers get the same bytes: they must not change while they are sent. */
export function snappyCompressOnce(data: Uint8Array): Uint8Array {
  if (data.length < minShared) return snappyCompress(data)
  let known = compressed.get(data)
  if (!known) compressed.set(data, (known = snappyCompress(data)))
  return known
}

/** Compresses into one raw block. */
export function snappyCompress(data: Uint8Array): Uint8Array {
  // Literals add at most one byte per 64 kB, and a copy is never longer than its data.
  const out = new Uint8Array(32 + data.length + Math.ceil(data.length / 6))
  let at = 0
  for (let rest = data.length; ; rest >>>= 7) {
    out[at++] = rest < 0x80 ? rest : (rest & 0x7f) | 0x80
    if (rest < 0x80) break
  }
  for (let start = 0; start < data.length; start += blockSize)
    at = compressBlock(data, start, Math.min(start + blockSize, data.length), out, at)
  return out.slice(0, at)
}

function compressBlock(data: Uint8Array, start: number, end: number, out: Uint8Array, at: number): number {
  table.fill(0)
  const last = end - 4
  let literal = start
  let pos = start + 1
  // Incompressible data is skipped in growing steps.
  let misses = 32
  while (pos <= last) {
    const word = load(data, pos)
    const hash = Math.imul(word, 0x1e35a7bd) >>> (32 - hashBits)
    const candidate = start + table[hash]!
    table[hash] = pos - start
    if (load(data, candidate) !== word) {
      pos += misses++ >>> 5
      continue
    }
    misses = 32
    if (literal < pos) at = writeLiteral(data, literal, pos, out, at)
    let matched = 4
    while (pos + matched < end && data[candidate + matched] === data[pos + matched]) matched++
    at = writeCopy(pos - candidate, matched, out, at)
    pos += matched
    literal = pos
  }
  return literal < end ? writeLiteral(data, literal, end, out, at) : at
}

function load(data: Uint8Array, at: number): number {
  return data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (data[at + 3]! << 24)
}

function writeLiteral(data: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number {
  const n = to - from - 1
  if (n < 60) out[at++] = n << 2
  else if (n < 0x100) {
    out[at++] = 60 << 2
    out[at++] = n
  } else {
    out[at++] = 61 << 2
    out[at++] = n
    out[at++] = n >> 8
  }
  if (n < 32) for (let i = from; i < to; i++) out[at++] = data[i]!
  else {
    out.set(data.subarray(from, to), at)
    at += n + 1
  }
  return at
}

function writeCopy(offset: number, length: number, out: Uint8Array, at: number): number {
  while (length > 0) {
    // A remainder below 4 needs the long form: leave more for the last piece.
    const n = length <= 64 ? length : length < 68 ? 60 : 64
    if (n >= 4 && n < 12 && offset < 2048) {
      out[at++] = 1 | ((n - 4) << 2) | ((offset >> 8) << 5)
      out[at++] = offset
    } else {
      out[at++] = 2 | ((n - 1) << 2)
      out[at++] = offset
      out[at++] = offset >> 8
    }
    length -= n
  }
  return at
}

/** Decompresses a block; throws before allocating if it claims to be longer than `limit`. */
export function snappyDecompress(data: Uint8Array, limit: number): Uint8Array {
  let length = 0
  let at = 0
  for (let shift = 0; ; shift += 7) {
    const byte = data[at++]
    if (byte === undefined || shift > 28) throw fault('length')
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  if (length > limit) throw fault(`${length} bytes`)
  // A copy of 64 bytes takes three bytes, so no valid block expands more than that.
  if (length > (data.length - at) * 22) throw fault(`claims ${length} bytes from ${data.length}`)
  const out = new Uint8Array(length)
  if (fill(data, at, out) !== length) throw fault('too short')
  return out
}

/** The number in `width` bytes, the lowest first. */
function lowestFirst(data: Uint8Array, at: number, width: number): number {
  let n = 0
  for (let i = at + width - 1; i >= at; i--) n = n * 256 + data[i]!
  return n
}

function fill(data: Uint8Array, at: number, out: Uint8Array): number {
  let filled = 0
  while (at < data.length) {
    const tag = data[at++]!
    let n = (tag >> 2) + 1
    if ((tag & 3) === 0) {
      if (n > 60) {
        const extra = n - 60
        if (at + extra > data.length) throw fault('truncated')
        n = 1 + lowestFirst(data, at, extra)
        at += extra
      }
      if (at + n > data.length || filled + n > out.length) throw fault('literal')
      if (n < 32) for (let i = 0; i < n; i++) out[filled + i] = data[at + i]!
      else out.set(data.subarray(at, at + n), filled)
      at += n
    } else {
      let offset: number
      if ((tag & 3) === 1) {
        n = ((tag >> 2) & 7) + 4
        offset = ((tag >> 5) << 8) | data[at++]!
      } else {
        const width = (tag & 3) === 2 ? 2 : 4
        offset = lowestFirst(data, at, width)
        at += width
      }
      if (at > data.length) throw fault('truncated')
      if (offset === 0 || offset > filled || filled + n > out.length) throw fault('copy')
      if (offset >= n && n >= 32) out.copyWithin(filled, filled - offset, filled - offset + n)
      else for (let i = filled; i < filled + n; i++) out[i] = out[i - offset]!
    }
    filled += n
  }
  return filled
}
