import { describe, expect, test } from 'vitest'
import {
  account,
  chainId,
  createWorld,
  ether,
  feeMarketTransfer,
  gwei,
  sentBy,
  transfer,
} from '../../test/support/poolFixtures.ts'
import { rulesOf } from '../forks/rules.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { blobHashOf } from '../types/blobSidecar.ts'
import { txHash } from '../types/encodeTx.ts'
import { signAuthorization } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { Pool } from './pool.ts'

function blobTransfer(from: number, nonce: number, maxBlobFee: bigint): Tx {
  const fields = feeMarketTransfer(from, nonce, { maxFee: gwei, maxPriorityFee: 1n })
  return sentBy(account(from), { ...fields, type: 3, maxBlobFee, blobHashes: [blobHashOf(new Uint8Array(48))] })
}

const noncesOf = (pool: Pool) => ({
  pending: [...pool.pending()].map((e) => Number(e.tx.nonce)),
  queued: [...pool.queued()].map((e) => Number(e.tx.nonce)),
})

const dropsOf = (events: readonly { type: string; reason?: { code: string }; entry: { tx: Tx } }[]) =>
  events.filter((e) => e.type === 'dropped').map((e) => [Number(e.entry.tx.nonce), e.reason?.code])

describe('pending and queued', () => {
  test('a gap keeps what is above it queued until it is filled', () => {
    const { pool, add } = createWorld()
    for (const nonce of [1, 2, 4]) add(transfer(1, nonce, gwei))
    expect(noncesOf(pool)).toEqual({ pending: [], queued: [1, 2, 4] })
    expect(pool.nextNonce(account(1))).toBeUndefined()
    add(transfer(1, 0, gwei))
    expect(noncesOf(pool)).toEqual({ pending: [0, 1, 2], queued: [4] })
    expect(pool.nextNonce(account(1))).toBe(3n)
    pool.drop(txHash(pool.contentOf(account(1))!.pending[1]!.tx), { code: 'SENDER_HAS_CODE' })
    expect(noncesOf(pool)).toEqual({ pending: [0], queued: [2, 4] })
  })

  test('blocks can take what has no gap before it and pays the base fee', () => {
    const { pool, add } = createWorld()
    for (const nonce of [0, 1, 3]) add(transfer(1, nonce, gwei))
    add(transfer(2, 0, 2n * gwei))
    add(transfer(2, 1, gwei))
    expect(pool.minable(0n).count).toBe(4)
    expect(pool.minable(2n * gwei).count).toBe(2)
    expect(pool.minable(3n * gwei).count).toBe(0)
  })

  test('views and counts agree', () => {
    const { pool, add } = createWorld()
    const first = transfer(1, 0, gwei)
    add(first, { local: true, now: 17 })
    add(transfer(2, 3, gwei))
    expect(pool.get(txHash(first))).toMatchObject({ local: true, priority: true, addedAt: 17 })
    expect(pool.statistics()).toMatchObject({
      maxSize: -1,
      localCount: 1,
      remoteCount: 1,
      pendingCount: 1,
      queuedCount: 1,
    })
    expect([...pool.content()].map((c) => [c.pending.length, c.queued.length])).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(pool.contentOf(account(3))).toBeUndefined()
  })
})

describe('a new head', () => {
  test('removes what was mined and what its nonce overtook, and moves up what followed', () => {
    const world = createWorld()
    const { pool, add } = world
    const mined = transfer(1, 0, gwei)
    for (const tx of [mined, transfer(1, 1, gwei), transfer(1, 3, gwei), transfer(2, 0, gwei)]) add(tx)
    world.events.length = 0
    // Nonce 1 and 2 came with transactions that this pool has not seen.
    world.setAccount(account(1), { nonce: 3n })
    pool.onHead({ added: [mined, transfer(1, 1, 2n * gwei), transfer(1, 2, gwei)], removed: [], now: 0 })
    expect(dropsOf(world.events)).toEqual([
      [0, 'MINED'],
      [1, 'NONCE_TOO_LOW'],
    ])
    expect(noncesOf(pool)).toEqual({ pending: [3, 0], queued: [] })
  })

  test('drops what the sender can no longer pay', () => {
    const world = createWorld()
    const mined = transfer(1, 0, gwei)
    for (const tx of [mined, transfer(1, 1, gwei, { value: 500n * ether }), transfer(1, 2, gwei)]) world.add(tx)
    world.setAccount(account(1), { nonce: 1n, balance: ether })
    world.pool.onHead({ added: [mined], removed: [], now: 0 })
    expect(dropsOf(world.events)).toEqual([
      [0, 'MINED'],
      [1, 'UPFRONT_COST_EXCEEDS_BALANCE'],
    ])
    expect(noncesOf(world.pool)).toEqual({ pending: [], queued: [2] })
  })

  test('brings back what a reorg took out of the chain, as local where it was', () => {
    const world = createWorld()
    world.mining = { enabled: true, minGasPrice: 1000n }
    const local = transfer(1, 0, 0n)
    const remote = transfer(2, 0, gwei)
    const kept = transfer(3, 0, gwei)
    world.add(local, { local: true })
    for (const tx of [remote, kept]) world.add(tx)
    for (const n of [1, 2, 3]) world.setAccount(account(n), { nonce: 1n })
    world.pool.onHead({ added: [local, remote, kept], removed: [], now: 0 })
    expect([...world.pool.entries()]).toEqual([])

    for (const n of [1, 2]) world.setAccount(account(n), { nonce: 0n })
    world.pool.onHead({ added: [kept], removed: [local, remote, kept], now: 5 })
    expect([...world.pool.entries()].map((e) => [e.tx, e.local])).toEqual([
      [local, true],
      [remote, false],
    ])
  })

  test('a reorg puts the sender back: what was pending waits for what came back', () => {
    const world = createWorld()
    world.setAccount(account(1), { nonce: 2n })
    world.add(transfer(1, 2, gwei))
    world.setAccount(account(1), { nonce: 0n })
    world.pool.onHead({ added: [], removed: [transfer(1, 1, gwei)], now: 0 })
    expect(noncesOf(world.pool)).toEqual({ pending: [], queued: [1, 2] })
  })

  test('a reorg is checked against accounts that are in none of the blocks', () => {
    const world = createWorld()
    world.add(transfer(1, 0, gwei))
    world.setAccount(account(1), { balance: 0n })
    world.pool.onHead({ added: [], removed: [transfer(2, 0, gwei)], now: 0 })
    expect(dropsOf(world.events)).toEqual([[0, 'UPFRONT_COST_EXCEEDS_BALANCE']])
  })

  test('an authorization moves the nonce of the account that gave it', () => {
    const world = createWorld({ fork: 'prague' })
    const key = new Uint8Array(32).fill(5)
    const authority = privateKeyToAddress(key)
    world.add(sentBy(authority, { ...transfer(0, 0, gwei) }))
    const authorizations = [signAuthorization({ chainId, address: account(7), nonce: 0n }, key)]
    const fees = { maxFee: gwei, maxPriorityFee: 1n }
    const delegating: Tx = sentBy(account(1), { ...feeMarketTransfer(1, 0, fees), type: 4, authorizations })
    world.setAccount(authority, { nonce: 1n })
    world.pool.onHead({ added: [delegating], removed: [], now: 0 })
    expect(dropsOf(world.events)).toEqual([[0, 'NONCE_TOO_LOW']])
  })

  test('a blob transaction comes back from a reorg without its blobs', () => {
    const world = createWorld({ fork: 'cancun' })
    world.pool.onHead({ added: [], removed: [blobTransfer(1, 0, 9n)], now: 0 })
    expect([...world.pool.pending()]).toMatchObject([{ tx: { type: 3 }, sidecar: undefined }])
  })

  test('new rules are applied to all', () => {
    const world = createWorld({ fork: 'prague' })
    world.add(transfer(1, 0, gwei, { gasLimit: 20_000_000n }))
    world.add(transfer(2, 0, gwei))
    world.head = { ...world.head, rules: rulesOf('osaka') }
    world.pool.onHead({ added: [], removed: [], now: 0 })
    expect(dropsOf(world.events)).toEqual([[0, 'EXCEEDS_PER_TRANSACTION_GAS_LIMIT']])
  })

  test('what waits too long leaves', () => {
    const world = createWorld({ limits: { retention: 1000 } })
    world.add(transfer(1, 0, gwei), { now: 0 })
    world.add(transfer(2, 0, gwei), { now: 500 })
    world.pool.onHead({ added: [], removed: [], now: 999 })
    expect(dropsOf(world.events)).toEqual([])
    world.pool.onHead({ added: [], removed: [], now: 1000 })
    expect(dropsOf(world.events)).toEqual([[0, 'EXPIRED']])
    expect([...world.pool.entries()].map((e) => e.sender)).toEqual([account(2)])
  })
})

describe('no room', () => {
  const evicted = (world: ReturnType<typeof createWorld>) =>
    world.events.filter((e) => e.type === 'dropped').map((e) => [e.entry.sender, Number(e.entry.tx.nonce)])

  test('the cheapest sender loses its last nonce', () => {
    const world = createWorld({ limits: { maxCount: 3 } })
    world.add(transfer(1, 0, 5n))
    world.add(transfer(1, 1, 100n))
    world.add(transfer(2, 0, 7n))
    expect(world.add(transfer(3, 0, 6n))).toBe('added')
    expect(evicted(world)).toEqual([[account(1), 1]])
    expect(world.add(transfer(3, 1, 6n))).toBe('added')
    expect(evicted(world)).toEqual([
      [account(1), 1],
      [account(1), 0],
    ])
  })

  test('what is cheaper than all is refused and nobody hears of it', () => {
    const world = createWorld({ limits: { maxCount: 2 } })
    world.add(transfer(1, 0, 5n))
    world.add(transfer(2, 0, 5n))
    expect(world.add(transfer(3, 0, 5n))).toBe('TX_POOL_FULL')
    expect(world.events).toHaveLength(2)
    expect(world.pool.statistics()).toMatchObject({ pendingCount: 2 })
  })

  test('queued ones go before pending ones, and those with priority last', () => {
    const world = createWorld({ limits: { maxCount: 3 } })
    world.add(transfer(1, 0, 1n), { local: true })
    world.add(transfer(2, 1, 100n))
    world.add(transfer(3, 0, 2n))
    world.add(transfer(4, 0, 3n))
    world.add(transfer(5, 0, 3n), { local: true })
    world.add(transfer(6, 0, 9n), { local: true })
    expect(evicted(world)).toEqual([
      [account(2), 1],
      [account(3), 0],
      [account(4), 0],
    ])
  })

  test('what counts is the tip at the base fee of now', () => {
    const world = createWorld({ baseFee: 10n, limits: { maxCount: 2 } })
    world.add(feeMarketTransfer(1, 0, { maxFee: 30n, maxPriorityFee: 20n }))
    world.add(feeMarketTransfer(2, 0, { maxFee: 100n, maxPriorityFee: 15n }))
    expect(world.add(feeMarketTransfer(3, 0, { maxFee: 100n, maxPriorityFee: 14n }))).toBe('TX_POOL_FULL')
    world.head = { ...world.head, baseFee: 20n }
    expect(world.add(feeMarketTransfer(3, 0, { maxFee: 100n, maxPriorityFee: 14n }))).toBe('added')
    expect(evicted(world)).toEqual([[account(1), 0]])
  })

  test('room is also counted in bytes', () => {
    const world = createWorld({ limits: { maxBytes: 3000 } })
    world.add(transfer(1, 0, 9n, { data: new Uint8Array(2500), gasLimit: 100_000n }))
    world.add(transfer(2, 0, 8n))
    expect(world.add(transfer(3, 0, 10n, { data: new Uint8Array(2500), gasLimit: 100_000n }))).toBe('added')
    expect(evicted(world)).toEqual([
      [account(2), 0],
      [account(1), 0],
    ])
  })

  test('a replacement that does not fit leaves the old one where it was', () => {
    const world = createWorld({ limits: { maxBytes: 500 } })
    const old = transfer(1, 0, 9n)
    world.add(old)
    expect(world.add(transfer(1, 0, 90n, { data: new Uint8Array(2500), gasLimit: 100_000n }))).toBe('TX_POOL_FULL')
    expect([...world.pool.pending()].map((e) => e.tx)).toEqual([old])
    expect(world.events).toHaveLength(1)
  })
})

describe('best', () => {
  const fees = { baseFee: 0n, blobBaseFee: 0n }
  const take = (pool: Pool, at = fees) => {
    const best = pool.best(at)
    const taken: [number, number][] = []
    for (let entry = best.next(); entry; entry = best.next())
      taken.push([Number(BigInt(`0x${Buffer.from(entry.sender).toString('hex')}`)) - 0x1000, Number(entry.tx.nonce)])
    return taken
  }

  test('priority, tip, cap, arrival; each sender by nonce', () => {
    const { pool, add } = createWorld()
    add(transfer(1, 0, 5n))
    add(transfer(1, 1, 50n))
    add(transfer(2, 0, 20n))
    add(feeMarketTransfer(3, 0, { maxFee: 30n, maxPriorityFee: 20n }))
    add(transfer(4, 0, 20n))
    add(transfer(5, 0, 1n), { local: true })
    add(transfer(6, 1, 99n))
    expect(take(pool)).toEqual([
      [5, 0],
      [3, 0],
      [2, 0],
      [4, 0],
      [1, 0],
      [1, 1],
    ])
  })

  test('leaves out who cannot pay the base fee, with all that follows', () => {
    const { pool, add } = createWorld()
    add(transfer(1, 0, 5n))
    add(transfer(1, 1, 50n))
    add(transfer(2, 0, 20n))
    expect(take(pool, { baseFee: 10n, blobBaseFee: 0n })).toEqual([[2, 0]])
  })

  test('leaves out who cannot pay for blobs', () => {
    const world = createWorld({ fork: 'cancun' })
    world.pool.onHead({ added: [], removed: [blobTransfer(1, 0, 9n), blobTransfer(2, 0, 10n)], now: 0 })
    expect(take(world.pool, { baseFee: 0n, blobBaseFee: 10n })).toEqual([[2, 0]])
  })

  test('skips the rest of a sender when told so, and what was dropped meanwhile', () => {
    const { pool, add } = createWorld()
    for (const nonce of [0, 1]) for (const sender of [1, 2]) add(transfer(sender, nonce, BigInt(100 - sender)))
    const best = pool.best(fees)
    expect(best.next()!.sender).toEqual(account(1))
    best.skipSender()
    pool.drop(pool.contentOf(account(2))!.pending[0]!.hash, { code: 'SENDER_HAS_CODE' })
    expect(best.next()).toBeUndefined()
  })
})
