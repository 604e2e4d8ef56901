import { readFileSync } from 'node:fs'
import { wasmPath } from '../../primitives/packageRoot.ts'
import { compileModule, Instance, Memory, type WasmMemory } from '../../primitives/wasm.ts'

const compiled = new Map<string, object>()

/** Creates an instance of a module of build/wasm; the module is compiled once. */
export function instantiate<Exports>(name: string, imports: object = {}): Exports {
  let module = compiled.get(name)
  if (!module) compiled.set(name, (module = compileModule(readFileSync(wasmPath(name)))))
  return new Instance(module, imports).exports as Exports
}

/** Creates the memory of a module that imports it, in pages of 64 KiB. */
export function createMemory(pages: number): WasmMemory {
  return new Memory({ initial: pages })
}

/** Defers `create` until the value is first needed, so that unused parts cost nothing at start. */
export function lazy<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: create() }).value
}
