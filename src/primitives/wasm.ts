import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { wasmPath } from './packageRoot.ts'

/** A module's memory: `buffer` is another object after the memory has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

declare const moduleBrand: unique symbol
/** A compiled module, good for any number of instances. */
export type WasmModule = object & { readonly [moduleBrand]: true }

interface WebAssemblyNamespace {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: object }
  Memory: new (size: { initial: number }) => WasmMemory
}

// Node's type declarations lack WebAssembly unless the whole DOM is taken in.
export const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly

/** Compiles one of the modules in build/wasm. */
export function compileWasm(name: string): WasmModule {
  // The optimising compiler at once: a long first call would stay in baseline code to its end.
  setFlagsFromString('--no-liftoff')
  setFlagsFromString('--no-wasm-lazy-compilation')
  try {
    return new Module(readFileSync(wasmPath(name))) as WasmModule
  } finally {
    setFlagsFromString('--liftoff')
    setFlagsFromString('--wasm-lazy-compilation')
  }
}

/** An instance of a compiled module; its exports are taken to be of type T. */
export function instantiateWasm<T extends object>(module: WasmModule, imports: object = {}): T {
  return new Instance(module, imports).exports as T
}
