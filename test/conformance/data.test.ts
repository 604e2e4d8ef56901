import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Entry, type Group, MissingData, openData } from './data.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-data-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const group: Group = { bundles: /^things/, folders: ['ThingTests'] }
const whole = { index: 0, count: 1, every: 1 }

function writeBundle(name: string, count: number): void {
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ path: `${name}.json`, name: `n${n}`, test: n }),
  )
  mkdirSync(join(folder, 'ethereum-tests'), { recursive: true })
  writeFileSync(join(folder, `ethereum-tests/${name}.ndjson.gz`), gzipSync(lines.join('\n')))
}

async function namesOf(slice: typeof whole, from: Group = group): Promise<string[]> {
  const entries: Entry[] = []
  for await (const entry of openData(folder, slice).entries(from)) entries.push(entry)
  return entries.map(({ path, name, fork }) => [path, name, ...(fork ? [fork] : [])].join(' '))
}

test('slices of bundles together are the whole, each entry once', async () => {
  writeBundle('things-a', 7)
  writeBundle('things-b', 4)
  writeBundle('other', 3)
  const all = await namesOf(whole)
  expect(all).toHaveLength(11)
  const parts = await Promise.all([0, 1, 2].map((index) => namesOf({ index, count: 3, every: 1 })))
  expect(parts.flat().sort()).toEqual(all.sort())
})

test('a sample is every n-th entry, shared evenly', async () => {
  writeBundle('things', 40)
  expect(await namesOf({ ...whole, every: 10 })).toEqual([0, 10, 20, 30].map((n) => `things.json n${n}`))
  expect(await namesOf({ index: 1, count: 2, every: 10 })).toEqual([10, 30].map((n) => `things.json n${n}`))
})

test('an upstream checkout is read file by file, older tests included', async () => {
  const file = { one: { a: 1 }, two: { a: 2 } }
  for (const root of ['', 'LegacyTests/Cancun']) {
    mkdirSync(join(folder, root, 'ThingTests/deep'), { recursive: true })
    writeFileSync(join(folder, root, 'ThingTests/deep/x.json'), JSON.stringify(file))
  }
  const paths = ['ThingTests/deep/x.json', 'LegacyTests/Cancun/ThingTests/deep/x.json']
  expect(await namesOf(whole)).toEqual(paths.flatMap((path) => [`${path} one`, `${path} two`]))
})

test('difficulty tests of a checkout know their fork', async () => {
  mkdirSync(join(folder, 'DifficultyTests'))
  mkdirSync(join(folder, 'BasicTests'))
  const nested = { any: { _info: {}, Berlin: { t1: {} } } }
  writeFileSync(join(folder, 'DifficultyTests/d.json'), JSON.stringify(nested))
  writeFileSync(join(folder, 'BasicTests/difficultyCustomHomestead.json'), JSON.stringify({ t2: {} }))
  const from: Group = { bundles: /^difficulty/, folders: ['DifficultyTests', 'BasicTests'] }
  expect(await namesOf(whole, from)).toEqual([
    'DifficultyTests/d.json t1 Berlin',
    'BasicTests/difficultyCustomHomestead.json t2 Homestead',
  ])
})

test('absent data are an error', async () => {
  await expect(namesOf(whole)).rejects.toThrow(MissingData)
  expect(() => openData(folder, whole).json('none.json')).toThrow(MissingData)
})
