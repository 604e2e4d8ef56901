import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../test/support/authorityChain.ts'
import { fillChain } from '../../test/support/fillChain.ts'
import { inTurn, richGenesis, sealBlock } from '../../test/support/sealedChain.ts'
import { startSnapNode } from '../../test/support/snapNode.ts'
import type { Network } from '../chainData/network.ts'
import { openChain } from '../chainData/openChain.ts'
import { signsAfter } from '../consensus/producing/restoredMark.ts'
import { qbftCodec } from '../consensus/qbft/qbftCodec.ts'
import { createChainSpec } from '../forks/chainSpec.ts'
import { toGenesisFile } from '../forks/genesisFile.ts'
import { decodeRow, encodeRow } from '../state/row.ts'
import { headers } from '../store/chainTables.ts'
import { openStore } from '../store/openStore.ts'
import { code, publicState } from '../store/schema.ts'
import type { Table, Transaction } from '../store/table.ts'
import { backupState } from './backupState.ts'
import { restoreData } from './restoreData.ts'
import { writeSums } from './sums.ts'
import { verifyData } from './verifyData.ts'

const four = authorities(4)
const others = authorities(8).slice(4)
const genesisOf = (validators: readonly Authority[]) =>
  richGenesis({ codec: qbftCodec, validators }, { qbft: { epochlength: 50 } })
const folder = mkdtempSync(join(tmpdir(), 'quoin-state-'))
const quiet = () => {}
const height = 60
let number = 0
let network: Network

function networkOf(genesis: object): Network {
  const spec = createChainSpec(toGenesisFile(genesis))
  return { name: 'test', spec, networkId: spec.chainId, isDev: false, funded: [] }
}

/** The backup of the state of a chain whose blocks these validators have proposed and sealed. */
async function makeBackup(name: string, validators: readonly Authority[]): Promise<string> {
  const node = startSnapNode({ genesis: genesisOf(validators), path: join(folder, `${name}-node`) })
  fillChain(node.chain, height, (txs) => {
    sealBlock(node.chain, { codec: qbftCodec, proposer: inTurn(node.chain, validators), validators }, txs)
  })
  await node.close(true)
  const to = join(folder, name)
  await backupState(join(folder, `${name}-node`), { to, onProgress: quiet })
  return to
}

function restore(from: string) {
  const dataPath = join(folder, `restored-${++number}`)
  const terms = { network, validators: [], pastBlocks: 10 }
  return { dataPath, restored: restoreData(dataPath, { from, genesis: undefined, terms, onProgress: quiet }) }
}

/** A copy of a backup in which somebody has changed something, with the right checksums. */
async function forged(sound: string, change: (txn: Transaction) => void): Promise<string> {
  const to = join(folder, `forged-${++number}`)
  cpSync(sound, to, { recursive: true })
  const store = openStore(join(to, 'state'))
  store.write(change)
  await store.close()
  rmSync(join(to, 'state/lock.mdb'), { force: true })
  await writeSums(to, ['state/data.mdb', 'backup.json'], quiet)
  return to
}

let sound: string

beforeAll(async () => {
  network = networkOf(genesisOf(four))
  sound = await makeBackup('sound', four)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the backup of a state', () => {
  test('is a chain that goes on at its head, knows all headers, and verifies', async () => {
    const { dataPath, restored } = restore(sound)
    expect(await restored).toMatchObject({ kind: 'state', head: { number: height } })
    expect((await verifyData(dataPath, network, quiet)).findings).toEqual([])
    const [source, copy] = await Promise.all(
      [join(folder, 'sound-node'), dataPath].map((path) =>
        openChain({ dataPath: path, network, keepRevertReasons: false, checkWork: false }),
      ),
    )
    expect(copy!.chain.head()).toEqual(source!.chain.head())
    expect(signsAfter(copy!.store)).toBeGreaterThan(0n)
    source!.chain.read((there) =>
      copy!.chain.read((here) => {
        for (let block = 0n; block <= height; block++) expect(here.headerAt(block)).toEqual(there.headerAt(block))
        expect(here.past).toMatchObject({ first: height + 1, wanted: height - 9 })
        expect(() => here.blockAt(30n)).toThrow('is not kept')
        expect(() => here.blockAt(55n)).toThrow('is not here yet')
      }),
    )
    const sealed = (chain: typeof source) =>
      sealBlock(chain!.chain, { codec: qbftCodec, proposer: inTurn(chain!.chain, four), validators: four })
    expect(sealed(copy).header).toEqual(sealed(source).header)
    await copy!.close()
    await source!.close()
  })

  test.each([
    [
      'an account that has more',
      (txn: Transaction) => {
        for (const [key, row] of txn.range(publicState.accounts, { limit: 1 })) {
          const { value, ...rest } = decodeRow(row)
          const richer = value.slice()
          richer[richer.length - 1]! ^= 1
          txn.put(publicState.accounts, key, encodeRow({ ...rest, value: richer }))
        }
      },
    ],
    ['an account that is missing', (txn: Transaction) => remove(txn, publicState.accounts)],
    ['a slot that is missing', (txn: Transaction) => remove(txn, publicState.slots)],
    ['a branch that is missing', (txn: Transaction) => remove(txn, publicState.branches)],
    ['code that is missing', (txn: Transaction) => remove(txn, code)],
    ['a header that is missing', (txn: Transaction) => remove(txn, headers, 5)],
    [
      'other code',
      (txn: Transaction) => {
        for (const [key, bytes] of txn.range(code, { limit: 1 }))
          txn.put(
            code,
            key,
            bytes.map((byte) => byte ^ 1),
          )
      },
    ],
    [
      'the last header without seals of its own',
      (txn: Transaction) => {
        for (const [key, bytes] of txn.range(headers, { reverse: true, limit: 1 })) {
          const other = bytes.slice()
          other[other.length - 40]! ^= 1
          txn.put(headers, key, other)
        }
      },
    ],
  ])('is refused with %s', async (_, change) => {
    const { dataPath, restored } = restore(await forged(sound, change))
    await expect(restored).rejects.toThrow('is not believed')
    expect(existsSync(join(dataPath, 'database'))).toBe(false)
    expect(existsSync(join(dataPath, 'restore'))).toBe(false)
  })

  test('is refused where others have sealed the blocks', async () => {
    // The others' genesis block differs: with its headers the chain of ours cannot begin.
    await expect(restore(await makeBackup('others', others)).restored).rejects.toThrow('is not believed')
  })

  test('is refused if any byte has changed, and needs the genesis file', async () => {
    const broken = join(folder, 'broken')
    cpSync(sound, broken, { recursive: true })
    const file = join(broken, 'state/data.mdb')
    const bytes = readFileSync(file)
    bytes[bytes.length - 5000]! ^= 1
    writeFileSync(file, bytes)
    await expect(restore(broken).restored).rejects.toThrow('does not have its checksum')
    const dataPath = join(folder, 'without-terms')
    await expect(restoreData(dataPath, { from: sound, genesis: undefined, onProgress: quiet })).rejects.toThrow(
      'give --genesis-file',
    )
  })
})

function remove<K, V>(txn: Transaction, table: Table<K, V>, number = 0): void {
  let i = 0
  for (const [key] of [...txn.range(table, {})]) if (i++ === number) txn.remove(table, key)
}
