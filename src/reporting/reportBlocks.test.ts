import { beforeEach, expect, test } from 'vitest'
import { createRecordedLogs, type RecordedLogs } from '../../test/support/recordedLogs.ts'
import { createAnnouncer } from '../chain/announcer.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import type { HeadEvent } from '../chain/events.ts'
import type { HashedBlock } from '../chain/view.ts'
import { createMetrics } from '../metrics/metrics.ts'
import type { ChainWork } from '../metrics/timedChain.ts'
import { type Address, type Hash32, toAddress } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { SyncStatus } from '../sync/syncStatus.ts'
import { reportBlocks } from './reportBlocks.ts'

const own = toAddress(new Uint8Array(20).fill(1))
const other = toAddress(new Uint8Array(20).fill(2))
const hash = new Uint8Array(32).fill(7) as Hash32

const blockOf = (number: number, beneficiary: Address, txs = 0) =>
  ({
    hash,
    header: { number: BigInt(number), beneficiary, gasUsed: BigInt(txs) * 21_000n, gasLimit: 30_000_000n },
    block: { transactions: new Array(txs).fill({}) },
  }) as unknown as HashedBlock

let log: RecordedLogs
beforeEach(() => {
  log = createRecordedLogs()
})

function report({ work, sync, isAuthority = true }: { work?: ChainWork; sync?: SyncStatus; isAuthority?: boolean }) {
  const heads = createAnnouncer<HeadEvent>()
  const metrics = createMetrics()
  const authority = { validatorsAfter: () => [], signerOf: ({ beneficiary }: { beneficiary: Address }) => beneficiary }
  reportBlocks({
    chain: { onHead: heads.subscribe },
    consensus: (isAuthority ? authority : {}) as unknown as ConsensusEngine,
    address: own,
    peers: () => 3,
    sync: { status: () => sync },
    work: () => work,
    metrics,
    minReorgDepth: 0,
    log,
  })
  return {
    add: (added: HashedBlock[], removed: HashedBlock[] = []) =>
      heads.announce({ head: added.at(-1) ?? blockOf(1, other), added, removed }),
    counts: () =>
      ['blocks_produced_total', 'blocks_imported_total'].map(
        (name) => metrics.families().find((family) => family.name === name)?.values[0]?.[1],
      ),
  }
}

test('each block is one line, which says whether this node made it', () => {
  const chain = report({ work: { way: 'import', seconds: 0.0034 } })
  chain.add([blockOf(13, other, 2)])
  chain.add([blockOf(14, own)])
  expect(log.lines()).toEqual([
    `info Imported #13 / 2 tx / 42000 (0.1%) gas / ${toHex(hash)} in 0.003s. Peers: 3`,
    `info Produced #14 / 0 tx / 0 (0%) gas / ${toHex(hash)} in 0.003s. Peers: 3`,
  ])
  expect(log.fields('Imported')).toMatchObject({
    number: 13,
    txs: 2,
    gasUsed: 42000,
    hash: toHex(hash),
    proposer: toHex(other),
  })
  expect(chain.counts()).toEqual([1, 1])
})

test('a development network, whose blocks do not tell who made them, has made those that it has built', () => {
  const made = report({ work: { way: 'produce', seconds: 0 }, isAuthority: false })
  made.add([blockOf(1, other)])
  expect(log.lines()[0]).toMatch(/^info Produced #1 /)
  report({ work: { way: 'import', seconds: 0 }, isAuthority: false }).add([blockOf(2, own)])
  expect(log.lines()[1]).toMatch(/^info Imported #2 /)
})

test('many blocks at once are one line, and none while sync tells how far it is', () => {
  const many = Array.from({ length: 6 }, (_, i) => blockOf(i + 1, other))
  report({}).add(many)
  expect(log.lines()).toEqual([`info Imported 6 blocks up to #6 / ${toHex(hash)}. Peers: 3`])
  const syncing = report({ sync: { startingBlock: 0n, currentBlock: 1n, highestBlock: 90n } })
  syncing.add([blockOf(1, other)])
  expect(log.lines()).toHaveLength(1)
  expect(syncing.counts()).toEqual([undefined, 1].map((count) => count ?? 0))
})

test('blocks that leave the chain are told', () => {
  const chain = report({ work: { way: 'import', seconds: 0 } })
  chain.add([blockOf(9, other)], [blockOf(8, own), blockOf(9, own)])
  chain.add([], [blockOf(2, other)])
  expect(log.lines().filter((line) => !line.includes('Imported'))).toEqual([
    `info chain reorganised: 2 blocks removed, 1 added, head is #9 / ${toHex(hash)}`,
    `info head set back to #1 / ${toHex(hash)}: 1 blocks removed`,
  ])
})
