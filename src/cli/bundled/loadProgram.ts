import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

/** What `require` gives for a file. */
interface Loaded {
  exports: unknown
}

type Body = (exports: unknown, require: (id: string) => unknown, module: Loaded, file: string, folder: string) => void

/** The bundled program, seen from the folder of the file that this is bundled into. */
export const programFile = fileURLToPath(new URL('../program/cli.cjs', import.meta.url))

/** Where the code lies that V8 has made of a file. */
export const codeCacheOf = (file: string): string => `${file}.cache`

/**
 * V8 takes code only with the flags that it had when the code was made. So these are set before anything is loaded: the first keeps
 * memory low meanwhile (src/system/v8Settings.ts), the second is what compiling WebAssembly leaves behind
 * (src/primitives/wasm.ts).
 */
export const loadingFlags: readonly string[] = ['--semi-space-growth-factor=1', '--no-wasm-dynamic-tiering']

function filesWithCode(folder: string): readonly string[] {
  const files = readdirSync(folder).map((name) => join(folder, name))
  return files.filter((file) => files.includes(codeCacheOf(file)))
}

function compile(file: string, cachedData?: Buffer): Script {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`
  return new Script(text, { filename: file, ...(cachedData && { cachedData }) })
}

/**
 * Loads a file of the bundled program, with those that it requires. The bundle consists of CommonJS modules: Node 20 takes a third
 * longer for those of ECMAScript, and keeps none of what V8 compiles. The build stores that beside each file
 * (scripts/makeCodeCache.ts); another version of V8, which cannot use it, compiles anew. `onScript` is told of each file.
 */
export function loadProgram(entry: string, onScript: (file: string, script: Script) => void = () => {}): void {
  const loaded = new Map<string, Loaded>()
  for (const flag of loadingFlags) setFlagsFromString(flag)
  // Now, not when a file is required: a thread that the program starts before sets the first flag back.
  const stored = new Map(
    filesWithCode(dirname(entry)).map((file) => [file, compile(file, readFileSync(codeCacheOf(file)))]),
  )

  function load(file: string): unknown {
    const known = loaded.get(file)
    if (known) return known.exports
    const module: Loaded = { exports: {} }
    loaded.set(file, module)
    const script = stored.get(file) ?? compile(file)
    onScript(file, script)
    const requireOutside = createRequire(file)
    const require = (id: string) => (id.startsWith('.') ? load(join(dirname(file), id)) : requireOutside(id))
    ;(script.runInThisContext() as Body)(module.exports, require, module, file, dirname(file))
    return module.exports
  }

  load(entry)
}
