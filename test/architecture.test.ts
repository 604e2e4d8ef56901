import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/** Folders of src by layer: imports go only to a smaller number, or stay in the folder. */
const layers: Readonly<Record<string, number>> = {
  primitives: 0,
  system: 1,
  recovery: 2,
  keys: 2,
  http: 2,
  readers: 2,
  pkcs11: 3,
  types: 3,
  jsonrpc: 3,
  forks: 3,
  auth: 3,
  store: 4,
  trie: 4,
  evm: 4,
  state: 5,
  execution: 6,
  chain: 7,
  pool: 8,
  consensus: 9,
  net: 9,
  permissioning: 10,
  privacy: 10,
  sync: 10,
  dev: 10,
  query: 10,
  keyServer: 10,
  privacyManager: 11,
  plugins: 11,
  rpc: 11,
  graphql: 11,
  explorer: 12,
  sources: 12,
  metrics: 12,
  config: 13,
  signer: 14,
  blockfiles: 14,
  evmtool: 14,
  reporting: 14,
  chainData: 14,
  importing: 15,
  maintenance: 15,
  migration: 15,
  node: 16,
  doctor: 17,
  cli: 18,
}

/** Sideways imports that are part of the design: genesis headers are made of types. */
const sideways = new Set(['forks → types'])

/** What answers questions sees views, never the database. */
const withoutStore = new Set(['rpc', 'graphql'])

/** Files that keep a view or a snapshot open and close it themselves: all others use `read`, which closes it. */
const keepers: readonly string[] = [
  'blockfiles/exportBlocks.ts',
  'chain/createChain.ts',
  'node/createPooling.ts',
  'node/ports/currentView.ts',
  'node/readers/readChain.ts',
  'node/serving/serverWorker.ts',
  'privacy/flexible/flexibleGroups.ts',
  'privacy/following/createPrivateChain.ts',
  'privacy/privacy.ts',
  'store/lmdbStore.ts',
  'store/writeBehind.ts',
]

interface Source {
  /** Path below src, with slashes. */
  readonly path: string
  readonly text: string
}

const folderOf = (path: string) => path.split('/')[0]!

function importsOf({ text }: Source): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** Whether the file calls `openView` or `openSnapshot`, or passes them on. */
function opens({ path, text }: Source): boolean {
  // Most files need not be parsed.
  if (path.endsWith('.test.ts') || !/open(View|Snapshot)/.test(text)) return false
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const isOpener = (node: ts.Node): boolean => ts.isIdentifier(node) && /^open(View|Snapshot)$/.test(node.text)
  const found = (node: ts.Node): boolean =>
    // A member of an interface declares an opener, and does not use it.
    !ts.isMethodSignature(node) && (isOpener(node) || (ts.forEachChild(node, found) ?? false))
  return found(file)
}

/** A file that only passes on what other files export. */
function isBarrel({ path, text }: Source): boolean {
  if (/(^|\/)index\.ts$/.test(path)) return true
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  return statements.length > 0 && statements.every((s) => ts.isExportDeclaration(s) && s.moduleSpecifier !== undefined)
}

/** What is wrong with one import, or undefined. `target` is a path below src, or leads out of it. */
function faultOfImport(path: string, target: string): string | undefined {
  const [from, to] = [folderOf(path), folderOf(target)]
  if (to === '..') return path.endsWith('.test.ts') && target.startsWith('../test/') ? undefined : 'leaves src'
  const inside = /^(.*?)\/internal\//.exec(target)?.[1]
  if (inside !== undefined && !path.startsWith(`${inside}/`)) return `${inside}/internal is private to ${inside}`
  if (from === to) return undefined
  const [low, high] = [layers[to], layers[from]]
  if (low === undefined) return `${to} has no layer`
  if (withoutStore.has(from) && to === 'store') return `${from} must not see store`
  if (high !== undefined && low >= high && !sideways.has(`${from} → ${to}`))
    return `${from} (layer ${high}) must not import ${to} (layer ${low})`
  return undefined
}

function faultsOf(source: Source): string[] {
  const { path } = source
  const faults: string[] = []
  if (layers[folderOf(path)] === undefined) faults.push(`${path}: the folder ${folderOf(path)} has no layer`)
  if (isBarrel(source)) faults.push(`${path}: a barrel`)
  for (const name of importsOf(source)) {
    if (!name.startsWith('.')) continue
    const fault = faultOfImport(path, posix.join(posix.dirname(path), name))
    if (fault !== undefined) faults.push(`${path}: imports ${name}: ${fault}`)
  }
  return faults
}

/** Groups of files of which each leads to all others (Tarjan's algorithm). */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  function visit(file: string): void {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    path.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue
      if (!order.has(next)) visit(next)
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = path.splice(path.indexOf(file))
    if (circle.length > 1) circles.push(circle)
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles
}

describe('src', () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../src')
  const paths = readdirSync(root, { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))

  test('has sources to look at', () => expect(paths).toContain('primitives/bytes.ts'))

  test('docs/architecture.md has the same layers, in their order', () => {
    const page = readFileSync(join(root, '../docs/architecture.md'), 'utf8')
    const rows = [...page.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(
      ([, layer, folder]) => [folder!, Number(layer)] as const,
    )
    expect(Object.fromEntries(rows)).toEqual(layers)
    expect(rows.map(([, layer]) => layer)).toEqual(Object.values(layers).sort((a, b) => a - b))
  })

  test('imports only go down', () => {
    const faults = paths.flatMap((path) => faultsOf({ path, text: readFileSync(join(root, path), 'utf8') }))
    expect(faults).toEqual([])
  })

  test('few files import each other in a circle', () => {
    const imports = new Map(
      paths
        .filter((path) => !path.endsWith('.test.ts'))
        .map((path) => {
          const names = importsOf({ path, text: readFileSync(join(root, path), 'utf8') })
          const targets = names
            .filter((name) => name.startsWith('.'))
            .map((name) => posix.join(posix.dirname(path), name))
          return [path, targets.map((name) => (name.endsWith('.ts') ? name : `${name}.ts`))] as const
        }),
    )
    // What all files of a circle are about is one thing: a signer's methods, a BFT protocol and its messages, the EVM's memory.
    expect(circlesOf(imports).length).toBeLessThanOrEqual(4)
  })

  test('views and snapshots are kept open by few', () => {
    const found = paths.filter((path) => opens({ path, text: readFileSync(join(root, path), 'utf8') }))
    expect(found.sort()).toEqual(keepers)
  })
})

describe('the check itself', () => {
  test('finds circles, of two and of more', () => {
    const imports = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', ['d']],
      ['f', ['a', 'd']],
    ])
    expect(circlesOf(imports).map((circle) => circle.toSorted())).toEqual([
      ['d', 'e'],
      ['a', 'b', 'c'],
    ])
  })

  const cases: readonly (readonly [what: string, path: string, text: string, faults: number])[] = [
    ['down', 'chain/import.ts', "import { a } from '../execution/a.ts'\nexport const b = a", 0],
    ['inside', 'chain/deep/a.ts', "import { b } from '../b.ts'\nexport const c = b", 0],
    ['up', 'evm/a.ts', "import { b } from '../state/b.ts'\nexport const c = b", 1],
    ['up, by type', 'evm/a.ts', "import type { B } from '../state/b.ts'\nexport type C = B", 1],
    ['up, when called', 'evm/a.ts', "export const load = () => import('../state/b.ts')", 1],
    ['up, passed on', 'evm/a.ts', "export const a = 1\nexport { b } from '../state/b.ts'", 1],
    ['sideways', 'trie/a.ts', "import { b } from '../store/b.ts'\nexport const c = b", 1],
    ['out', 'trie/a.ts', "import { b } from '../../test/b.ts'\nexport const c = b", 1],
    ['out, in a test', 'trie/a.test.ts', "import { b } from '../../test/b.ts'\nexport const c = b", 0],
    ['into the database', 'rpc/eth/a.ts', "import { b } from '../../store/b.ts'\nexport const c = b", 1],
    ['into internals', 'chain/a.ts', "import { b } from '../trie/internal/b.ts'\nexport const c = b", 1],
    ['of own internals', 'trie/a.ts', "import { b } from './internal/b.ts'\nexport const c = b", 0],
    ['from an unknown folder', 'util/a.ts', 'export const a = 1', 1],
    ['by a barrel', 'trie/all.ts', "export * from './a.ts'\nexport { b } from './b.ts'", 1],
    ['of dependencies', 'trie/a.ts', "import { b } from 'node:fs'\nimport c from 'lmdb'\nexport const d = [b, c]", 0],
  ]
  const uses: readonly (readonly [what: string, path: string, text: string, opens: boolean])[] = [
    ['called', 'sync/a.ts', 'export const a = (chain: Chain) => chain.openView()', true],
    ['taken out', 'sync/a.ts', 'export const a = ({ openSnapshot }: Store) => openSnapshot', true],
    ['declared', 'chain/chain.ts', 'export interface Chain {\n  openView(): ChainView\n}', false],
    ['in a test', 'sync/a.test.ts', 'export const a = (chain: Chain) => chain.openView()', false],
    ['in a comment', 'sync/a.ts', '// openView\nexport const a = 1', false],
  ]
  test.each(uses)('an opener %s', (_, path, text, expected) => expect(opens({ path, text })).toBe(expected))

  test.each(cases)('imports %s', (_, path, text, faults) => expect(faultsOf({ path, text })).toHaveLength(faults))
})
