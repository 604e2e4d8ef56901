// Compiles the AssemblyScript modules to build/wasm. A module is rebuilt when its sources, its options or the compiler
// change; the stamp beside it holds their digest, so that a stale artefact cannot be loaded by accident.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './setup.mjs'

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

/** The engine, built three times: BLOCK_GAS charges gas once per basic block, TRACE calls hooks at each opcode. */
function engine(blockGas, trace) {
  return {
    entry: 'src/evm/assembly/module.ts',
    sources: ['src/evm/assembly', 'src/primitives/assembly'],
    options: ['--initialMemory', '16', '--use', `BLOCK_GAS=${blockGas}`, '--use', `TRACE=${trace}`],
  }
}

/** name → entry file, the folders its sources lie in, compiler options. */
export const modules = {
  keccak: {
    entry: 'src/primitives/assembly/keccakModule.ts',
    sources: ['src/primitives/assembly'],
    options: ['--initialMemory', '4'],
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
    sources: ['src/evm/precompiles/assembly'],
    options: ['--initialMemory', '2', '--enable', 'relaxed-simd'],
  },
  bn254: {
    entry: 'src/evm/precompiles/assembly/bn254/module.ts',
    sources: ['src/evm/precompiles/assembly/bn254'],
    options: ['--initialMemory', '2', '--enable', 'relaxed-simd'],
  },
  'evm-fast': engine(1, 0),
  'evm-exact': engine(0, 0),
  'evm-trace': engine(0, 1),
}

/** Digest of everything that a module's bytes depend on. */
export function digest({ sources, options, entry }) {
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
mkdirSync(out, { recursive: true })
for (const [name, module] of Object.entries(modules)) {
  const wasm = join(out, `${name}.wasm`)
  const stamp = join(out, `${name}.digest`)
  const now = digest(module)
  if (existsSync(wasm) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) continue
  const asc = join(root, 'node_modules/assemblyscript/bin/asc.js')
  const args = [asc, module.entry, '-o', wasm, ...common, ...module.options]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, now)
}

// mcl (pairings) comes as WebAssembly inside a JavaScript file that can only be loaded asynchronously; a precompile must
// be ready in the middle of an opcode, so that its module is taken out and laid beside ours.
const require = createRequire(import.meta.url)
const mclSource = readFileSync(require.resolve('mcl-wasm/dist/mcl_c.js'), 'utf8')
const [, mclModule] = /wasmBase64 = '([^']+)'/.exec(mclSource) ?? []
if (!mclModule) throw new Error('mcl-wasm no longer carries its module where it did')
writeFileSync(join(out, 'mcl.wasm'), Buffer.from(mclModule, 'base64'))
