import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { compileFunction } from 'node:vm'

/** The functions of solc in WebAssembly that are used here. */
interface Soljson {
  cwrap(
    name: string,
    result: 'string',
    args: readonly ('string' | 'number')[],
  ): (...args: (string | number)[]) => string
}

/** A compiler in WebAssembly, or in older versions JavaScript, that is loaded. */
export interface LoadedCompiler {
  readonly version: string
  compile(input: string): string
}

/** Loads the `soljson.js` of a release or of npm's package; it gets no function to read files with. */
export function loadSoljson(path: string): LoadedCompiler {
  const module = { exports: {} as Soljson }
  const scope = ['exports', 'require', 'module', '__filename', '__dirname']
  // A folder whose package.json says that its files are modules of ECMAScript must not matter.
  compileFunction(readFileSync(path, 'utf8'), scope, { filename: path })(
    ...[module.exports, createRequire(path), module, path, dirname(path)],
  )
  const soljson = module.exports
  const has = (name: string) => `_${name}` in soljson
  const version = soljson.cwrap(has('solidity_version') ? 'solidity_version' : 'version', 'string', [])()
  return { version, compile: findCompile(soljson, has) }
}

function findCompile(soljson: Soljson, has: (name: string) => boolean): LoadedCompiler['compile'] {
  if (has('solidity_compile')) {
    const compile = soljson.cwrap('solidity_compile', 'string', ['string', 'number', 'number'])
    return (input) => compile(input, 0, 0)
  }
  if (has('compileStandard')) {
    const compile = soljson.cwrap('compileStandard', 'string', ['string', 'number'])
    return (input) => compile(input, 0)
  }
  throw new Error('this compiler is older than standard JSON, which came with 0.4.11')
}
