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

/** Views of the memory that the module and this side share; they are renewed when it grows. */
class SharedMemory implements LinearMemory {
  private readonly memory: WasmMemory
  private bytes: Uint8Array<ArrayBuffer>
  private view: DataView<ArrayBuffer>

  constructor(memory: WasmMemory) {
    this.memory = memory
    this.bytes = new Uint8Array(memory.buffer)
    this.view = new DataView(memory.buffer)
  }

  // A view has length 0 once the memory has grown.
  private current(): Uint8Array {
    if (this.bytes.length === 0) {
      this.bytes = new Uint8Array(this.memory.buffer)
      this.view = new DataView(this.memory.buffer)
    }
    return this.bytes
  }

  private currentView(): DataView {
    this.current()
    return this.view
  }

  readonly setWord = (at: number, value: bigint): void => {
    const v = this.currentView()
    at >>>= 0
    for (let i = 0; i < 32; i += 8) {
      v.setBigUint64(at + i, value === 0n ? 0n : value & low64, true)
      if (value !== 0n) value >>= 64n
    }
  }

  readonly word = (at: number): bigint => {
    const v = this.currentView()
    at >>>= 0
    let value = v.getBigUint64(at + 24, true)
    for (let i = 16; i >= 0; i -= 8) {
      const limb = v.getBigUint64(at + i, true)
      value = value === 0n ? limb : (value << 64n) | limb
    }
    return value
  }

  private reversed(at: number, length: number): Uint8Array {
    const from = this.current()
    const out = new Uint8Array(length)
    at >>>= 0
    for (let i = 0; i < length; i++) out[i] = from[at + length - 1 - i]!
    return out
  }

  readonly setWordBytes = (at: number, value: Uint8Array): void => {
    const to = this.current()
    const n = value.length
    at >>>= 0
    for (let i = 0; i < n; i++) to[at + i] = value[n - 1 - i]!
    for (let i = n; i < 32; i++) to[at + i] = 0
  }

  readonly u32: LinearMemory['u32'] = (at) => this.currentView().getUint32(at >>> 0, true)

  readonly setU32: LinearMemory['setU32'] = (at, value) => this.currentView().setUint32(at >>> 0, value, true)

  readonly i32: LinearMemory['i32'] = (at) => this.currentView().getInt32(at >>> 0, true)

  readonly u64: LinearMemory['u64'] = (at) => this.currentView().getBigUint64(at >>> 0, true)

  readonly setU64: LinearMemory['setU64'] = (at, value) => this.currentView().setBigUint64(at >>> 0, value, true)

  readonly wordBytes: LinearMemory['wordBytes'] = (at) => this.reversed(at, 32)

  readonly address: LinearMemory['address'] = (at) => this.reversed(at, 20) as Address

  readonly slice: LinearMemory['slice'] = (at, length) => this.current().slice(at >>> 0, (at >>> 0) + length)

  readonly window: LinearMemory['window'] = (at, length) => this.current().subarray(at >>> 0, (at >>> 0) + length)

  readonly set: LinearMemory['set'] = (at, from) => {
    const to = this.current()
    at >>>= 0
    if (from.length > fewBytes) to.set(from, at)
    else for (let i = 0; i < from.length; i++) to[at + i] = from[i]!
  }

  readonly hash: LinearMemory['hash'] = (at) => this.current().slice(at >>> 0, (at >>> 0) + 32) as Hash32

  readonly size: LinearMemory['size'] = () => this.current().length
}

export function createLinearMemory(memory: WasmMemory): LinearMemory {
  return new SharedMemory(memory)
}
