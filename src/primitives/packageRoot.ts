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

/** Folder of this package, whether the program runs from source (tests) or compiled. */
export const packageRoot = findRoot()

/** Path of a WebAssembly module that `npm run build` compiled. */
export function wasmPath(name: string): string {
  return join(packageRoot, 'build/wasm', `${name}.wasm`)
}

/** Folder below dist in which this program was built: one file per module, or bundled. */
const build = import.meta.url.includes('/dist/bundle/') ? 'bundle' : 'src'

/**
 * URL of the built file of a source that runs by itself: the program or a worker. Worker threads cannot run TypeScript, so a
 * caller that runs from source (tests) gets the compiled file too.
 */
export function workerUrl(source: string): URL {
  return pathToFileURL(join(packageRoot, 'dist', build, source.replace(/\.ts$/, '.js')))
}

/** The built program, of the same build; the bundle has it as CommonJS, which Node starts sooner. */
export const builtProgram = join(packageRoot, 'dist', build, build === 'bundle' ? 'cli/main.cjs' : 'cli/main.js')
