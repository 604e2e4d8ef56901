import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../store/openStore.ts'
import { findForeignData, refuseForeignData } from './foreignData.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quoin-foreign-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), '')
  }
}

test('a folder of Besu: the two commands that move it over, and nothing is written', () => {
  write('DATABASE_METADATA.json', 'database/CURRENT', 'database/MANIFEST-000004', 'database/000007.sst', 'key')
  const refuse = () => refuseForeignData(dir, 'genesis.json')
  expect(refuse).toThrow(`${dir} holds a database of Besu`)
  expect(refuse).toThrow(`  besu --data-path=${dir} --genesis-file=genesis.json blocks export --to=blocks.rlp\n`)
  expect(refuse).toThrow(
    `  quoin --data-path=${dir}-quoin --genesis-file=genesis.json migrate --from-besu=${dir} --blocks-from=blocks.rlp\n`,
  )
  expect(readdirSync(dir).sort()).toEqual(['DATABASE_METADATA.json', 'database', 'key'])
})

test('a folder of geth', () => {
  write('geth/chaindata/CURRENT', 'geth/nodekey')
  expect(findForeignData(dir)).toBe('geth')
  expect(() => refuseForeignData(dir, undefined)).toThrow(
    `  geth --datadir ${dir} export blocks.rlp\n  quoin --data-path=${dir}-quoin --genesis-file=<genesis file> migrate --from-geth=${dir}`,
  )
})

test('a key, static nodes and metadata without a database may come along', () => {
  write('key', 'static-nodes.json', 'DATABASE_METADATA.json')
  expect(findForeignData(dir)).toBeUndefined()
})

test('a folder of Quoin is its own', async () => {
  const store = openStore(join(dir, 'database'))
  expect(findForeignData(dir)).toBeUndefined()
  await store.close()
})
