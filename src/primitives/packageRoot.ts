import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('package.json not found above ' + fileURLToPath(import.meta.url))
    folder = parent
  }
  return folder
}

/** Folder of this package: the same from source (tests) and from compiled files. */
export const packageRoot = findRoot()

/** A compiled WebAssembly module, made by `npm run build:wasm`. */
export function wasmPath(name: string): string {
  return join(packageRoot, 'build/wasm', `${name}.wasm`)
}

/**
 * Where the compiled form of a worker's source lies. Worker threads know no TypeScript, so that a caller that itself runs
 * from source (tests) still gets the built file.
 */
export function workerUrl(source: string): URL {
  return pathToFileURL(join(packageRoot, 'dist/src', source.replace(/\.ts$/, '.js')))
}
