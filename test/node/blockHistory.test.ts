import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIndex } from '../../src/chain/accounts/accountIndex.ts'
import { verifyData } from '../../src/maintenance/verifyData.ts'
import { createAnswers } from '../../src/net/eth/answers.ts'
import { encodeRlp, scalar } from '../../src/primitives/rlp.ts'
import { txHash } from '../../src/types/encodeTx.ts'
import { senderOf } from '../../src/types/signTx.ts'
import { devNetwork, fillChain } from '../support/fillChain.ts'
import { openTestChain, removeFolder, type TestChain } from '../support/testChain.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-prune-'))
let copies = 0
const always = () => true
const never = () => false

const open = (path: string) => openTestChain(undefined, path, (parts) => ({ ...parts, indexAccounts: true }))

/** A chain of 560 blocks, most of which have logs, a side block among them. */
function filled(): TestChain {
  const path = join(folder, `copy-${++copies}`)
  cpSync(join(folder, 'sound'), path, { recursive: true })
  return open(path)
}

const findingsIn = async (path: string) => (await verifyData(path, devNetwork, () => {})).findings

beforeAll(async () => {
  const { chain, close } = open(join(folder, 'sound'))
  fillChain(chain, 560)
  await close()
})
afterAll(() => removeFolder(folder))

describe('blocks that are not kept', () => {
  test('what they had is gone, headers and states stay, and who asks is told from which block on there is more', async () => {
    const { chain, path, close } = filled()
    const before = chain.read((view) => ({
      old: view.blockAt(200n)!,
      kept: view.blockAt(300n)!,
      logs: [...view.logs({ fromBlock: 256n, toBlock: 560n, addresses: [], topics: [] })],
      sender: senderOf(view.blockAt(200n)!.block.transactions[0]!)!,
    }))
    // Pages of 256 blocks go together.
    expect(chain.pruneBlocks(500, always)).toBe(true)
    chain.read((view) => {
      const notKept = 'block 200 is not kept: this node has the transactions and receipts of blocks from 256 on'
      expect(view.past).toMatchObject({ first: 256, wanted: 256 })
      const { hash } = before.old
      expect(view.headerAt(200n)?.hash).toEqual(hash)
      for (const read of [
        () => view.blockAt(200n),
        () => view.receipts(hash),
        () => view.transactionAt(hash, 0),
        () => view.receiptAt(hash, 0),
        () => view.logsOf(hash, { addresses: [], topics: [] }),
      ])
        expect(read).toThrow(notKept)
      expect(() => [...view.logs({ fromBlock: 200n, toBlock: 300n, addresses: [], topics: [] })]).toThrow('not kept')
      expect(view.findTx(txHash(before.old.block.transactions[0]!))).toBeUndefined()
      expect(view.blockAt(300n)).toEqual(before.kept)
      expect([...view.logs({ fromBlock: 256n, toBlock: 560n, addresses: [], topics: [] })]).toEqual(before.logs)
      expect(view.stateAt(200n).account(before.sender)?.nonce).toBeGreaterThan(0n)
      const appearances = [...view.appearances(before.sender, 0n, 'ascending')]
      expect(appearances[0]!.blockNumber).toBe(256n)
      expect([...view.appearances(before.sender, 560n, 'descending')].reverse()).toEqual(appearances)
    })
    expect(() => chain.setHead(100n)).toThrow('block 101 is not kept')
    await close()
    expect(await findingsIn(path)).toEqual([])
  })

  test('peers that ask for them get nothing, and headers', async () => {
    const { chain, close } = filled()
    const hashes = chain.read((view) => [view.hashAt(200n)!, view.hashAt(300n)!])
    chain.pruneBlocks(512, always)
    const answers = createAnswers({ chain, pool: { get: () => undefined }, log: undefined as never })
    const ask = (message: 'getBlockBodies' | 'getReceipts', hash: Uint8Array) =>
      answers(message, encodeRlp([scalar(1n), [hash]])).payload.length
    for (const message of ['getBlockBodies', 'getReceipts'] as const) {
      expect(ask(message, hashes[0]!)).toBeLessThan(5)
      const header = encodeRlp([scalar(1n), [hashes[0]!, scalar(1n), scalar(0n), scalar(0n)]])
      expect(answers('getBlockHeaders', header).payload.length).toBeGreaterThan(400)
    }
    await close()
  })

  test('it goes on where it was, however little time there is, and verify knows a chain in the middle of it', async () => {
    let node = filled()
    const { path } = node
    for (let i = 0; i < 100; i++) expect(node.chain.pruneBlocks(500, never)).toBe(false)
    await node.close()
    expect(await findingsIn(path)).toEqual([])
    node = open(path)
    let slices = 0
    while (!node.chain.pruneBlocks(500, never)) slices++
    expect(slices).toBeGreaterThan(100)
    expect(node.chain.pruneBlocks(512, never)).toBe(false)
    while (!node.chain.pruneBlocks(512, never)) slices++
    await node.close()
    expect(await findingsIn(path)).toEqual([])
  })

  test('an index that is behind gets its blocks first', async () => {
    const { chain, store, close } = filled()
    store.write((txn) => txn.put(accountIndex.kind.range, 'range', { first: 0, last: 299 }))
    expect(chain.pruneBlocks(560, always)).toBe(true)
    expect(chain.read((view) => view.past?.first)).toBe(256)
    await close()
  })
})
