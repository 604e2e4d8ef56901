import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'

interface Packed {
  readonly files: readonly { readonly path: string }[]
}

/** Files that `npm pack` puts into the package, and the modules that those of the program import. */
let packed: readonly string[]
let imported: ReadonlySet<string>

// The hook that npm runs before it packs builds what is missing or stale.
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs', '--program'], { cwd: packageRoot, stdio: 'ignore' })
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const [tarball] = JSON.parse(execFileSync('npm', args, { cwd: packageRoot, encoding: 'utf8' })) as Packed[]
  packed = tarball!.files.map(({ path }) => path)
  imported = new Set(packed.filter(isModule).flatMap(importsOf))
})

const isModule = (path: string) => /^dist\/.*\.c?js$/.test(path)

/** What a compiled module imports: paths in the package, or names of packages. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(packageRoot, path), 'utf8')
  const always = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
  // The parser misses some of what is loaded later, whose names the bundler writes between quotes or backquotes.
  const later = [...text.matchAll(/\b(?:import|require)\((["`])([^"`$]+)\1\)/g)].map(([, , name]) => name!)
  return [...always, ...later].map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
}

const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

test('npm builds the program before it packs', () => {
  expect(manifest.scripts['prepack']).toBe('node scripts/build.mjs --program')
})

test('the package has every module that the program loads, and none besides', () => {
  const modules = packed.filter(isModule)
  const workers = readdirSync(join(packageRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('Worker.ts'))
    .map((name) => `dist/bundle/${name.replace(/\.ts$/, '.js')}`)
  expect(workers.length).toBeGreaterThan(0)
  const entries = ['dist/bundle/cli/main.cjs', ...workers]
  expect(entries.filter((path) => !modules.includes(path))).toEqual([])
  expect(modules.filter((path) => !entries.includes(path) && !imported.has(path))).toEqual([])
  expect([...imported].filter((name) => name.startsWith('dist/') && !modules.includes(name))).toEqual([])
})

test('every package that the program imports is a dependency', () => {
  const names = [...imported].filter((name) => !name.startsWith('dist/') && !name.startsWith('node:'))
  const packages = names.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  // WebSockets would use these if somebody had installed them.
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  const known = [...installed, ...builtinModules, 'bufferutil', 'utf-8-validate']
  const missing = packages.filter((name) => !known.includes(name))
  expect(missing).toEqual([])
})

test('the package has all WebAssembly modules, the explorer, the pages that README names, and the licences of what is inside', () => {
  const wasm = readdirSync(join(packageRoot, 'build/wasm')).filter((name) => name.endsWith('.wasm'))
  const [pages, modules] = ['build/explorer/', 'build/wasm/'].map((folder) =>
    packed.filter((path) => path.startsWith(folder)),
  )
  expect(modules).toEqual(wasm.map((name) => `build/wasm/${name}`))
  for (const name of ['index.html', 'index.html.br', 'graphiql.html', 'licenses/preact.txt'])
    expect(pages).toContain(`build/explorer/${name}`)
  expect(packed.filter((path) => path.startsWith('build/'))).toHaveLength(pages!.length + modules!.length)
  const licences = ['licenses/mcl.txt', 'dist/bundle/licenses/ws.txt', 'dist/bundle/licenses/@noble+curves.txt']
  for (const path of ['LICENSE', 'NOTICE', ...licences, 'CHANGELOG.md', 'bin/quoin']) expect(packed).toContain(path)
  const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
  const named = [...readme.matchAll(/\]\((docs\/[^)#]+\.md)\)/g)].map(([, page]) => page!)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((page) => existsSync(join(packageRoot, page)) && !packed.includes(page))).toEqual([])
})
