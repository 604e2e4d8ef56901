import { emptyBytes, type Hash32 } from './bytes.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from './wasm.ts'

interface KeccakModule {
  readonly memory: WasmMemory
  outputAt(): number
  inputAt(size: number): number
  hash(length: number): void
  runningAt(): number
  absorb(filled: number, length: number): number
  squeeze(filled: number): void
}

const wasm = instantiateWasm<KeccakModule>(compileWasm('keccak'))
const outputAt = wasm.outputAt()
const runningAt = wasm.runningAt()
let inputAt = wasm.inputAt(1 << 16)
let capacity = 1 << 16
let memory = new Uint8Array(wasm.memory.buffer)

function load(data: Uint8Array): void {
  if (data.length > capacity) {
    capacity = data.length
    inputAt = wasm.inputAt(capacity)
    // Memory that grows detaches earlier views of it.
    memory = new Uint8Array(wasm.memory.buffer)
  }
  memory.set(data, inputAt)
}

/** Keccak-256 as Ethereum uses it. */
export function keccak256(data: Uint8Array): Hash32 {
  load(data)
  wasm.hash(data.length)
  return memory.slice(outputAt, outputAt + 32) as Hash32
}

/** Writes the digest of `data` into `out` at `at`, for hot paths that own their buffer. */
export function keccak256Into(data: Uint8Array, out: Uint8Array, at: number): void {
  load(data)
  wasm.hash(data.length)
  for (let i = 0; i < 32; i++) out[at + i] = memory[outputAt + i]!
}

/** A Keccak-256 over bytes that arrive in pieces; the digest can be read at any time. */
export interface RunningKeccak {
  update(data: Uint8Array): void
  /** Digest of all bytes so far; more may follow. */
  digest(): Hash32
}

const stateLength = 200

/** Starts a running Keccak-256. */
export function createRunningKeccak(): RunningKeccak {
  // The module holds one state at a time: each digest keeps its own here between calls.
  const state = new Uint8Array(stateLength)
  let filled = 0
  return {
    update(data) {
      load(data)
      memory.set(state, runningAt)
      filled = wasm.absorb(filled, data.length)
      state.set(memory.subarray(runningAt, runningAt + stateLength))
    },
    digest() {
      memory.set(state, runningAt)
      wasm.squeeze(filled)
      return memory.slice(outputAt, outputAt + 32) as Hash32
    },
  }
}

/** Digest of the empty string: the code hash of an account without code. */
export const emptyCodeHash: Hash32 = keccak256(emptyBytes)
