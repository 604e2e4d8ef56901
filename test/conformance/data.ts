import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

/** A test object of ethereum/tests and where it stands there. */
export interface Entry {
  readonly path: string
  readonly name: string
  readonly test: unknown
  /** Only where upstream groups tests by fork inside a file (DifficultyTests). */
  readonly fork?: string
}

/** What to read for a suite: the bundles that shared data come in, and the folders of an upstream checkout. */
export interface Group {
  /** Matches the names of bundles, without `.ndjson.gz`. */
  readonly bundles: RegExp
  readonly folders: readonly string[]
  /** Narrows the files of an upstream folder. */
  readonly files?: (path: string) => boolean
}

/** The part of all work that one worker does: every `every`-th item is in the sample, and of those each `count`-th is ours. */
export interface Slice {
  readonly index: number
  readonly count: number
  readonly every: number
}

/** A folder of test data, as one worker sees it. */
export interface Data {
  readonly folder: string
  entries(group: Group): AsyncIterable<Entry>
  /** Our share of a list. */
  share<T>(items: readonly T[]): T[]
  /** A JSON file; absent is an error. */
  json(path: string): unknown
  bytes(path: string): Uint8Array
}

/** Data that a suite needs are not there: never a pass. */
export class MissingData extends Error {
  override name = 'MissingData'
}

export function openData(folder: string, slice: Slice): Data {
  const mine = (n: number) => n % slice.every === 0 && (n / slice.every) % slice.count === slice.index
  const read = (path: string) => {
    const file = join(folder, path)
    if (!existsSync(file)) throw new MissingData(`no ${path} in ${folder}`)
    return readFileSync(file)
  }
  return {
    folder,
    entries: (group) => entriesOf(folder, group, mine),
    share: (items) => items.filter((_, n) => mine(n)),
    json: (path) => JSON.parse(read(path).toString()),
    bytes: (path) => new Uint8Array(read(path)),
  }
}

async function* entriesOf(folder: string, group: Group, mine: (n: number) => boolean): AsyncGenerator<Entry> {
  const bundles = bundlesOf(folder, group)
  const files = bundles.length ? [] : filesOf(folder, group)
  if (bundles.length + files.length === 0)
    throw new MissingData(`neither bundles ${group.bundles.source} nor ${group.folders.join(', ')} in ${folder}`)
  for (const bundle of bundles) yield* bundleEntries(bundle, mine)
  for (const [n, file] of files.entries()) if (mine(n)) yield* fileEntries(folder, file)
}

function bundlesOf(folder: string, { bundles }: Group): string[] {
  for (const place of [join(folder, 'ethereum-tests'), folder]) {
    if (!existsSync(place)) continue
    const found = readdirSync(place)
      .filter((file) => file.endsWith('.ndjson.gz') && bundles.test(file.slice(0, -'.ndjson.gz'.length)))
      .sort()
    if (found.length) return found.map((file) => join(place, file))
  }
  return []
}

async function* bundleEntries(file: string, mine: (n: number) => boolean): AsyncGenerator<Entry> {
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity })
  let n = 0
  for await (const line of lines) if (line !== '' && mine(n++)) yield JSON.parse(line) as Entry
}

/** Where the folders lie in ethereum/tests, with its submodule of older tests, and in ethereum/legacytests alone. */
const roots = ['', 'LegacyTests/Cancun', 'LegacyTests/Constantinople', 'Cancun', 'Constantinople']

function filesOf(folder: string, { folders, files }: Group): string[] {
  const found: string[] = []
  for (const root of roots)
    for (const name of folders) {
      const place = join(folder, root, name)
      if (!existsSync(place)) continue
      for (const file of readdirSync(place, { recursive: true }).map(String).sort())
        if (file.endsWith('.json')) found.push(join(place, file))
    }
  return files ? found.filter(files) : found
}

function* fileEntries(folder: string, file: string): Generator<Entry> {
  const path = relative(folder, file)
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  if (path.includes('DifficultyTests')) yield* difficultyEntries(path, content)
  // The genesis hashes of BasicTests are one test without a name.
  else if ('genesis_hash' in content) yield { path, name: 'genesis', test: content }
  else {
    // Older difficulty tests have their network in the file's name only.
    const network = /BasicTests\/difficulty(?:Custom)?(\w*)\.json$/.exec(path)?.[1]
    const fork = network === undefined ? {} : { fork: network || 'Frontier' }
    for (const [name, test] of Object.entries(content)) yield { path, name, test, ...fork }
  }
}

/** Alone among all tests, these have a level of forks between the file and its tests. */
function* difficultyEntries(path: string, content: Record<string, unknown>): Generator<Entry> {
  for (const group of Object.values(content))
    for (const [fork, tests] of Object.entries(group as Record<string, Record<string, unknown>>))
      if (fork !== '_info') for (const [name, test] of Object.entries(tests)) yield { path, name, fork, test }
}
