import { expect, test } from 'vitest'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { devTx } from '../../../test/support/testChain.ts'
import type { HeadEvent } from '../../chain/chain.ts'
import type { PoolFault } from '../../pool/fault.ts'
import { createRecentSet } from '../../pool/recentSet.ts'
import { keyOf } from '../../primitives/bytes.ts'
import { systemClock } from '../../primitives/clock.ts'
import { encodeRlpList } from '../../primitives/rlp.ts'
import { encodeTx, txHash } from '../../types/encodeTx.ts'
import type { Tx } from '../../types/transaction.ts'
import type { EthPeer } from './ethPeer.ts'
import { createEthPeers } from './ethPeers.ts'
import { createTxFetcher } from './txFetcher.ts'
import { txToPart } from './wireTx.ts'

/** A fetcher before a pool that decides when it is told to. */
function startFetcher() {
  const submitted: { readonly tx: Tx; readonly decide: (fault?: PoolFault) => void }[] = []
  let tellHead: (event: HeadEvent) => void = () => {}
  const fetcher = createTxFetcher({
    chain: {
      onHead(listener) {
        tellHead = listener
        return () => {}
      },
    },
    pool: { get: () => undefined },
    intake: { submit: ({ tx }) => new Promise((decide) => submitted.push({ tx, decide })) },
    peers: createEthPeers(),
    clock: systemClock,
    log: createSilentLogs(),
  })
  const move = (added: readonly Tx[], removed: readonly Tx[]) => {
    const blocks = (transactions: readonly Tx[]) => (transactions.length ? [{ block: { transactions } }] : [])
    tellHead({ added: blocks(added), removed: blocks(removed) } as unknown as HeadEvent)
  }
  return { fetcher, submitted, move }
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
  await null
  await null
  fetcher.onTransactions(second, message(refused))
  expect(submitted).toHaveLength(2)
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
