import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../primitives/packageRoot.ts'
import { knownNames } from '../protocol/knownNames.ts'
import { namespaceOf } from '../protocol/method.ts'
import { methods } from './all.ts'

const served = methods.map(({ name }) => name)

test('no name is served twice', () => {
  expect(new Set(served).size).toBe(served.length)
})

test('methods come by namespace, then by name', () => {
  const sorted = served.map((name) => name.split('_')).sort((a, b) => compare(a[0]!, b[0]!) || compare(a[1]!, b[1]!))
  expect(served).toEqual(sorted.map((parts) => parts.join('_')))
})

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Second names that differ from the first in case alone: on some systems they cannot have a file beside it. */
const sameFile: Readonly<Record<string, string>> = { debug_resyncWorldState: 'debug_resyncWorldstate' }

test('a file is a method of that name, and nothing else', async () => {
  const folder = join(packageRoot, 'src/rpc/methods')
  const files = readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    // Beside the namespaces: methods that several of them have.
    .filter((file) => /^[^/]+\/.*\.ts$/.test(file) && !file.endsWith('.test.ts') && !file.startsWith('shared/'))
  const exported: string[] = []
  for (const file of files) {
    const own = file.replace('/', '_').replace(/\.ts$/, '')
    const names = Object.keys((await import(join(folder, file))) as object)
    expect(
      names.filter((name) => (sameFile[name] ?? name) !== own),
      file,
    ).toEqual([])
    expect(names, file).toContain(own)
    exported.push(...names)
  }
  expect(exported.sort()).toEqual([...served].sort())
})

test('every method of Besu in the namespaces that are complete', () => {
  const complete = new Set([
    ...[
      'ADMIN',
      'CLIQUE',
      'DEBUG',
      'EEA',
      'ETH',
      'IBFT',
      'MINER',
      'NET',
      'PRIV',
      'QBFT',
      'RPC',
      'TRACE',
      'TXPOOL',
      'WEB3',
    ],
  ])
  const wanted = [...knownNames].filter((name) => complete.has(namespaceOf(name)))
  expect(wanted.filter((name) => !served.includes(name))).toEqual([])
})

test('optional parameters come last', () => {
  for (const { name, params } of methods) {
    const firstOptional = params.findIndex(({ required }) => !required)
    if (firstOptional >= 0)
      expect(
        params.slice(firstOptional).some(({ required }) => required),
        name,
      ).toBe(false)
  }
})
