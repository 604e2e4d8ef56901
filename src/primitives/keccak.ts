import { readFileSync } from 'node:fs'
import { emptyBytes, type Hash32 } from './bytes.ts'
import { wasmPath } from './packageRoot.ts'

interface KeccakModule {
  readonly memory: { readonly buffer: ArrayBuffer }
  outputAt(): number
  inputAt(size: number): number
  hash(length: number): void
}

const wasm = instantiate()
const outputAt = wasm.outputAt()
let inputAt = wasm.inputAt(1 << 16)
let capacity = 1 << 16
let memory = new Uint8Array(wasm.memory.buffer)

function instantiate(): KeccakModule {
  // Node's type declarations lack WebAssembly unless the whole DOM is taken in.
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly
  return new Instance(new Module(readFileSync(wasmPath('keccak'))), {}).exports as KeccakModule
}

interface WebAssemblyNamespace {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: object }
}

function load(data: Uint8Array): void {
  if (data.length > capacity) {
    capacity = data.length
    inputAt = wasm.inputAt(capacity)
    // Growing detaches the view that was taken before.
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

/** Digest of no bytes: the code hash of an account without code. */
export const emptyCodeHash: Hash32 = keccak256(emptyBytes)
