// Compiles the AssemblyScript modules to build/wasm. A module is rebuilt when its sources, its options or the compiler
// change; the stamp beside it holds their digest, so that a stale artefact cannot be loaded by accident.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { announce, root } from './setup.mjs'

const common = [
  '-O3',
  '--runtime',
  'stub',
  '--noAssert',
  '--enable',
  'simd',
  '--enable',
  'bulk-memory',
  '--enable',
  'mutable-globals',
]

/**
 * The engine, built twice: one charges gas once per basic block; where EXACT is 1 it does so at each opcode, calls hooks there,
 * and pauses after some work.
 */
function engine(exact) {
  return {
    entry: 'src/evm/assembly/module.ts',
    sources: ['src/evm/assembly', 'src/primitives/assembly'],
    options: ['--initialMemory', '16', '--use', `EXACT=${exact}`],
  }
}

/** name → entry file, the folders its sources lie in, compiler options. */
const modules = {
  keccak: {
    entry: 'src/primitives/assembly/keccakModule.ts',
    sources: ['src/primitives/assembly'],
    options: ['--initialMemory', '4'],
  },
  recovery: {
    entry: 'src/recovery/assembly/module.ts',
    sources: ['src/recovery/assembly', 'src/primitives/assembly'],
    options: ['--initialMemory', '24', '--enable', 'relaxed-simd'],
  },
  blake2f: {
    entry: 'src/evm/precompiles/assembly/blake2f.ts',
    sources: ['src/evm/precompiles/assembly'],
    options: ['--initialMemory', '1', '--enable', 'relaxed-simd'],
  },
  modexp: {
    entry: 'src/evm/precompiles/assembly/modexp.ts',
    sources: ['src/evm/precompiles/assembly'],
    options: ['--initialMemory', '2'],
  },
  fusedModexp: {
    entry: 'src/evm/precompiles/assembly/fusedModexp.ts',
    sources: ['src/evm/precompiles/assembly', 'src/primitives/assembly'],
    options: ['--initialMemory', '2', '--enable', 'relaxed-simd'],
  },
  bn254: {
    entry: 'src/evm/precompiles/assembly/bn254/module.ts',
    sources: ['src/evm/precompiles/assembly/bn254', 'src/primitives/assembly'],
    options: ['--initialMemory', '2', '--enable', 'relaxed-simd'],
  },
  'evm-fast': engine(0),
  'evm-exact': engine(1),
}

/** Digest of everything that a module's bytes depend on. */
function digest({ sources, options, entry }) {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([entry, common, options]))
  hash.update(readFileSync(join(root, 'node_modules/assemblyscript/package.json')))
  for (const folder of sources) {
    const files = readdirSync(join(root, folder), { recursive: true })
      .map(String)
      .filter((f) => f.endsWith('.ts'))
    for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, folder, file)))
  }
  return hash.digest('hex')
}

const out = join(root, 'build/wasm')

/** Compiles the modules that are missing or stale, as many at a time as there are processors. */
export async function buildWasm() {
  mkdirSync(out, { recursive: true })
  const stale = Object.entries(modules)
    .map(([name, module]) => ({ name, module, digest: digest(module) }))
    .filter((one) => !isFresh(one.name, one.digest))
  if (stale.length) await announce(`Building WebAssembly (${stale.length} modules)`, () => compileAll(stale))
  extractMcl()
}

function isFresh(name, digest) {
  const stamp = join(out, `${name}.digest`)
  return existsSync(join(out, `${name}.wasm`)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

async function compileAll(stale) {
  // The engines take longest: they go first, so that no processor waits for the last of them.
  const queue = stale.toSorted((a, b) => Number(b.name.startsWith('evm')) - Number(a.name.startsWith('evm')))
  let done = 0
  async function work() {
    for (let next = queue.shift(); next; next = queue.shift()) {
      await compile(next)
      process.stderr.write(`  ${++done} of ${stale.length}: ${next.name}\n`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

async function compile({ name, module, digest }) {
  const asc = join(root, 'node_modules/assemblyscript/bin/asc.js')
  const args = [asc, module.entry, '-o', join(out, `${name}.wasm`), ...common, ...module.options]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exit(code ?? 1)
  writeFileSync(join(out, `${name}.digest`), digest)
}

/**
 * mcl (pairings) comes as WebAssembly inside a JavaScript file that can only be loaded asynchronously; a precompile must be
 * ready in the middle of an opcode, so that its module is taken out and laid beside ours.
 */
function extractMcl() {
  const folder = join(root, 'node_modules/mcl-wasm')
  const version = readFileSync(join(folder, 'package.json'), 'utf8')
  if (isFresh('mcl', version)) return
  const source = readFileSync(join(folder, 'dist/mcl_c.js'), 'utf8')
  const [, module] = /wasmBase64 = '([^']+)'/.exec(source) ?? []
  if (!module) throw new Error('mcl-wasm no longer carries its module where it did')
  writeFileSync(join(out, 'mcl.wasm'), Buffer.from(module, 'base64'))
  writeFileSync(join(out, 'mcl.digest'), version)
}
