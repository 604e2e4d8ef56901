import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { devTx } from '../../../test/support/testChain.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import type { PoolEvent } from '../../pool/pool.ts'
import { createRecentSet } from '../../primitives/recentSet.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { EthPeer } from './ethPeer.ts'
import { createEthPeers } from './ethPeers.ts'
import { decodeAnnouncement } from './txAnnouncement.ts'
import { createTxBroadcaster } from './txBroadcaster.ts'

/** A broadcaster with one peer that may not read what it is sent. */
function start() {
  const clock = createManualClock(0)
  const peers = createEthPeers()
  const pending: PoolEntry[] = []
  const listeners: ((event: PoolEvent) => void)[] = []
  const pool = {
    pending: () => pending,
    subscribe: (listener: (event: PoolEvent) => void) => {
      listeners.push(listener)
      return () => {}
    },
  }
  createTxBroadcaster({ pool, peers, clock, random: () => 0.5 })
  const sent: string[] = []
  let backlog = 0
  const peer = {
    version: 68,
    knownTxs: createRecentSet(100),
    backlog: () => backlog,
    send(message: string, payload: Uint8Array) {
      sent.push(message === 'transactions' ? message : `${decodeAnnouncement(68, payload).length} announced`)
      return true
    },
  } as unknown as EthPeer
  peers.add(peer)
  return {
    clock,
    peers,
    peer,
    sent,
    setBacklog(bytes: number) {
      backlog = bytes
    },
    add(nonce: bigint, size = 100) {
      const tx = devTx(nonce)
      const entry = { tx, hash: txHash(tx), size } as unknown as PoolEntry
      pending.push(entry)
      for (const listener of listeners) listener({ type: 'added', entry })
    },
  }
}

test('a peer that did not read for a while is told of what it has missed, once', () => {
  const { clock, sent, setBacklog, add } = start()
  setBacklog(5 << 20)
  for (let nonce = 0n; nonce < 3n; nonce++) add(nonce)
  clock.run(10_000)
  expect(sent).toEqual([])
  setBacklog(0)
  clock.run(1000)
  expect(sent).toEqual(['3 announced'])
  add(3n)
  clock.run(10_000)
  expect(sent).toEqual(['3 announced', 'transactions'])
})

test('one that has gone meanwhile is told nothing', () => {
  const { clock, peers, peer, sent, setBacklog, add } = start()
  setBacklog(5 << 20)
  add(0n)
  clock.run(10)
  peers.remove(peer)
  setBacklog(0)
  clock.run(10_000)
  expect(sent).toEqual([])
})

test('large transactions beyond half a megabyte a second are announced, small ones are not', () => {
  const { clock, sent, add } = start()
  for (let nonce = 0n; nonce < 8n; nonce++) add(nonce, 100_000)
  clock.run(10)
  expect(sent).toEqual(['transactions', '3 announced'])
  add(8n, 100_000)
  add(9n)
  clock.run(10)
  expect(sent.slice(2)).toEqual(['transactions', '1 announced'])
  clock.run(1000)
  add(10n, 100_000)
  clock.run(10)
  expect(sent.slice(4)).toEqual(['transactions'])
})
