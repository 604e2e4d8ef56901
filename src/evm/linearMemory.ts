import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { WasmMemory } from '../primitives/wasm.ts'

/**
 * Reads and writes the module's memory. Words are little-endian in it and big-endian in TypeScript. An address is a number as the
 * module gives it: negative from 2^31 on.
 */
export interface LinearMemory {
  u32(at: number): number
  setU32(at: number, value: number): void
  i32(at: number): number
  u64(at: number): bigint
  setU64(at: number, value: bigint): void
  /** Reads a word as a number. */
  word(at: number): bigint
  setWord(at: number, value: bigint): void
  /** Reads a word as 32 big-endian bytes. */
  wordBytes(at: number): Uint8Array
  /** Writes a word from up to 32 big-endian bytes. */
  setWordBytes(at: number, bytes: Uint8Array): void
  address(at: number): Address
  /** Returns a copy. */
  slice(at: number, length: number): Uint8Array
  /** Returns a view, valid until the memory grows. */
  window(at: number, length: number): Uint8Array
  set(at: number, bytes: Uint8Array): void
  hash(at: number): Hash32
  size(): number
}

const low64 = (1n << 64n) - 1n
/** Up to this length a loop is faster than a call of `set`. */
const fewBytes = 64

export function createLinearMemory(memory: WasmMemory): LinearMemory {
  let bytes = new Uint8Array(memory.buffer)
  let view = new DataView(memory.buffer)

  // A view has length 0 once the memory has grown.
  function current(): Uint8Array {
    if (bytes.length === 0) {
      bytes = new Uint8Array(memory.buffer)
      view = new DataView(memory.buffer)
    }
    return bytes
  }

  function currentView(): DataView {
    current()
    return view
  }

  function setWord(at: number, value: bigint): void {
    const v = currentView()
    at >>>= 0
    for (let i = 0; i < 32; i += 8) {
      v.setBigUint64(at + i, value === 0n ? 0n : value & low64, true)
      if (value !== 0n) value >>= 64n
    }
  }

  function word(at: number): bigint {
    const v = currentView()
    at >>>= 0
    let value = v.getBigUint64(at + 24, true)
    for (let i = 16; i >= 0; i -= 8) {
      const limb = v.getBigUint64(at + i, true)
      value = value === 0n ? limb : (value << 64n) | limb
    }
    return value
  }

  function reversed(at: number, length: number): Uint8Array {
    const from = current()
    const out = new Uint8Array(length)
    at >>>= 0
    for (let i = 0; i < length; i++) out[i] = from[at + length - 1 - i]!
    return out
  }

  function setWordBytes(at: number, value: Uint8Array): void {
    const to = current()
    const n = value.length
    at >>>= 0
    for (let i = 0; i < n; i++) to[at + i] = value[n - 1 - i]!
    for (let i = n; i < 32; i++) to[at + i] = 0
  }

  return {
    u32: (at) => currentView().getUint32(at >>> 0, true),
    setU32: (at, value) => currentView().setUint32(at >>> 0, value, true),
    i32: (at) => currentView().getInt32(at >>> 0, true),
    u64: (at) => currentView().getBigUint64(at >>> 0, true),
    setU64: (at, value) => currentView().setBigUint64(at >>> 0, value, true),
    word,
    setWord,
    wordBytes: (at) => reversed(at, 32),
    setWordBytes,
    address: (at) => reversed(at, 20) as Address,
    slice: (at, length) => current().slice(at >>> 0, (at >>> 0) + length),
    window: (at, length) => current().subarray(at >>> 0, (at >>> 0) + length),
    set(at, from) {
      const to = current()
      at >>>= 0
      if (from.length > fewBytes) to.set(from, at)
      else for (let i = 0; i < from.length; i++) to[at + i] = from[i]!
    },
    hash: (at) => current().slice(at >>> 0, (at >>> 0) + 32) as Hash32,
    size: () => current().length,
  }
}
