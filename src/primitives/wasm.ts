import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { wasmPath } from './packageRoot.ts'

/** A module's memory; `buffer` is a new object each time the memory grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

declare const moduleBrand: unique symbol
/** A compiled module, from which any number of instances can be created. */
export type WasmModule = object & { readonly [moduleBrand]: true }

interface WebAssemblyNamespace {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: object }
  Memory: new (size: { initial: number; maximum?: number }) => WasmMemory
}

// Node's type declarations lack WebAssembly unless those of the DOM are included.
export const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly

/**
 * What V8 is kept from while it compiles: the baseline compiler, in whose code a long first call would stay until it ends, and waiting
 * for that call. From V8 14 on (Node 25), it would look for what the baseline compiler has learnt, and crash.
 */
const shunned = ['liftoff', 'wasm-lazy-compilation']
if (Number.parseInt(process.versions.v8, 10) >= 14) shunned.push('wasm-inlining', 'wasm-inlining-call-indirect')

/** Compiles a module. */
export function compileModule(bytes: Uint8Array): WasmModule {
  try {
    return new Module(bytes) as WasmModule
  } catch {
    // Node 20 has the relaxed vector instructions only behind a flag.
    setFlagsFromString('--experimental-wasm-relaxed-simd')
    return new Module(bytes) as WasmModule
  }
}

/** Compiles one of the modules in build/wasm with the optimising compiler. */
export function compileWasm(name: string): WasmModule {
  for (const flag of shunned) setFlagsFromString(`--no-${flag}`)
  try {
    return compileModule(readFileSync(wasmPath(name)))
  } finally {
    for (const flag of shunned) setFlagsFromString(`--${flag}`)
  }
}

/** Creates an instance of a compiled module; the caller states the type of its exports. */
export function instantiateWasm<T extends object>(module: WasmModule, imports: object = {}): T {
  return new Instance(module, imports).exports as T
}
