import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { feeMarketTransfer } from '../../../test/support/poolFixtures.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { devTx } from '../../../test/support/testChain.ts'
import type { HeadEvent } from '../../chain/events.ts'
import type { PoolFault } from '../../pool/fault.ts'
import { type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createRecentSet } from '../../primitives/recentSet.ts'
import { encodeRlpList } from '../../primitives/rlp.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import { encodeTx, txHash } from '../../types/encodeTx.ts'
import type { Tx } from '../../types/transaction.ts'
import type { DisconnectReason } from '../protocol.ts'
import type { EthPeer } from './ethPeer.ts'
import { createEthPeers } from './ethPeers.ts'
import type { EthVersion } from './messages.ts'
import { encodeAnnouncement, type TxClaim } from './txAnnouncement.ts'
import { createTxFetcher } from './txFetcher.ts'
import { txToPart } from './wireTx.ts'

/** A fetcher before a pool that decides when it is told to. */
function startFetcher(now = () => 0) {
  const submitted: { readonly tx: Tx; readonly decide: (fault: PoolFault | undefined) => void }[] = []
  const clock = createManualClock(0)
  let tellHead: (event: HeadEvent) => void = () => {}
  const fetcher = createTxFetcher({
    chain: {
      onHead(listener) {
        tellHead = listener
        return () => {}
      },
    },
    pool: { has: () => false },
    intake: { offer: ({ tx }, decide) => void submitted.push({ tx, decide }) },
    peers: createEthPeers(),
    clock,
    log: createSilentLogs(),
    now,
  })
  const move = (added: readonly Tx[], removed: readonly Tx[]) => {
    const blocks = (transactions: readonly Tx[]) => (transactions.length ? [{ block: { transactions } }] : [])
    tellHead({ added: blocks(added), removed: blocks(removed) } as unknown as HeadEvent)
  }
  return { fetcher, submitted, move, clock }
}

const peerOf = () => ({ version: 68, knownTxs: createRecentSet(10) }) as unknown as EthPeer
const message = (...txs: readonly Tx[]) => encodeRlpList(txs.map((tx) => txToPart(tx, undefined)))

test('of the copies that several peers send only one goes to the pool', async () => {
  const { fetcher, submitted } = startFetcher()
  const [tx, refused] = [devTx(0n), devTx(1n)]
  const [first, second] = [peerOf(), peerOf()]
  fetcher.onTransactions(first, message(tx, refused))
  fetcher.onTransactions(second, message(tx))
  expect(submitted.map((one) => txHash(one.tx))).toEqual([txHash(tx), txHash(refused)])
  expect(second.knownTxs.has(keyOf(txHash(tx)))).toBe(true)
  submitted[1]!.decide({ code: 'TX_POOL_FULL' })
  fetcher.onTransactions(second, message(refused))
  expect(submitted).toHaveLength(2)
})

test('what is larger than the pool takes is dropped and counted against its sender, and what comes with it is taken', () => {
  const { fetcher, submitted } = startFetcher()
  let useless = 0
  const peer = { ...peerOf(), useless: () => useless++ } as unknown as EthPeer
  const large = devTx(0n, { data: new Uint8Array(4 << 20) })
  fetcher.onTransactions(peer, message(large, devTx(1n)))
  expect(submitted.map(({ tx }) => tx.nonce)).toEqual([1n])
  expect(useless).toBe(1)
  fetcher.onTransactions(peer, message(devTx(2n, { data: new Uint8Array((4 << 20) - 200) })))
  expect(submitted.map(({ tx }) => tx.nonce)).toEqual([1n, 2n])
  submitted[1]!.decide({ code: 'TX_TOO_LARGE', have: 5, limit: 4 })
  expect(useless).toBe(2)
})

test('announced transactions are asked for a few MiB at a time, and not at all if they are too large', async () => {
  const { fetcher, clock } = startFetcher()
  const asked: number[] = []
  const peer = {
    ...peerOf(),
    pooledTransactions: async (hashes: readonly Uint8Array[]) => {
      asked.push(hashes.length)
      return []
    },
    useless: () => {},
  } as unknown as EthPeer
  const sizes = [4 << 20, (4 << 20) + 1, 600_000, 600_000, 600_000]
  const announced = sizes.map((size, i) => ({ hash: new Uint8Array(32).fill(i) as Hash32, type: 2, size }))
  fetcher.onAnnouncement(peer, encodeAnnouncement(68, announced))
  for (let i = 0; i < 5; i++) {
    clock.run(500)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(asked).toEqual([1, 2, 1])
})

test('what is in a block is not looked at again, until a reorg takes it out', () => {
  const { fetcher, submitted, move } = startFetcher()
  const tx = devTx(0n)
  move([tx], [])
  fetcher.onTransactions(peerOf(), message(tx))
  expect(submitted).toHaveLength(0)
  move([], [tx])
  fetcher.onTransactions(peerOf(), message(tx))
  expect(submitted).toHaveLength(1)
})

test('a transaction keeps its bytes, not the memory of the message', () => {
  const { fetcher, submitted } = startFetcher()
  const tx = devTx(0n)
  const payload = message(tx)
  fetcher.onTransactions(peerOf(), payload)
  payload.fill(0)
  expect(encodeTx(submitted[0]!.tx)).toEqual(encodeTx(tx))
})

/** A peer that announces transactions, says of them what `claim` makes of the truth, and hands them over when asked. */
async function announce(version: EthVersion, txs: readonly Tx[], claim: (truth: TxClaim) => TxClaim) {
  const { fetcher, submitted, clock } = startFetcher()
  const ends: DisconnectReason[] = []
  const peer = {
    version,
    info: {},
    knownTxs: createRecentSet(10),
    pooledTransactions: async () => txs.map((tx): NetworkTx => ({ tx, sidecar: undefined })),
    disconnect: (reason: DisconnectReason) => void ends.push(reason),
  } as unknown as EthPeer
  const announced = txs.map((tx) => ({ hash: txHash(tx), ...claim({ type: tx.type, size: encodeTx(tx).length }) }))
  fetcher.onAnnouncement(peer, encodeAnnouncement(version, announced))
  clock.run(500)
  await new Promise((resolve) => setImmediate(resolve))
  return { ends, taken: submitted.length }
}

const txs = [devTx(0n), feeMarketTransfer(1, 0, { maxFee: 9n, maxPriorityFee: 1n })]

test('announced transactions are asked for and taken', async () => {
  expect(await announce(68, txs, (truth) => truth)).toEqual({ ends: [], taken: 2 })
})

test('a peer whose transactions have another type or size than announced is left', async () => {
  const left = { ends: ['uselessPeer'], taken: 0 }
  expect(await announce(68, txs, ({ size }) => ({ type: 3, size }))).toEqual(left)
  expect(await announce(68, txs, ({ type, size }) => ({ type, size: size + 9 }))).toEqual(left)
  expect(await announce(68, txs, ({ type, size }) => ({ type, size: size - 9 }))).toEqual(left)
})

test('a size may be off by an envelope, and before eth/68 nothing is said', async () => {
  expect(await announce(68, txs, ({ type, size }) => ({ type, size: size + 8 }))).toEqual({ ends: [], taken: 2 })
  expect(await announce(67, txs, () => ({ type: 3, size: 0 }))).toEqual({ ends: [], taken: 2 })
})

test('messages beyond the share of a turn are read in later turns, in order, from memory of their own', async () => {
  let time = 0
  const { fetcher, submitted } = startFetcher(() => (time += 10))
  const peer = peerOf()
  const txs = [devTx(0n), devTx(1n), devTx(2n)]
  const messages = txs.map((tx) => message(tx))
  for (const one of messages) {
    fetcher.onTransactions(peer, one)
    one.fill(0)
  }
  expect(submitted).toHaveLength(1)
  await expect.poll(() => submitted.map(({ tx }) => txHash(tx))).toEqual(txs.map(txHash))
})

test('a breach that is found later disconnects the peer all the same', async () => {
  let time = 0
  const { fetcher } = startFetcher(() => (time += 10))
  const reasons: DisconnectReason[] = []
  const peer = { ...peerOf(), disconnect: (reason: DisconnectReason) => void reasons.push(reason) } as EthPeer
  fetcher.onTransactions(peer, message(devTx(0n)))
  fetcher.onTransactions(peer, encodeRlpList([Uint8Array.of(0xc1, 1)]))
  expect(reasons).toEqual([])
  await expect.poll(() => reasons).toEqual(['breachOfProtocol'])
})
