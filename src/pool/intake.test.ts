import { expect, test } from 'vitest'
import { createWorld, transfer } from '../../test/support/poolFixtures.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { createRecoverPool, type RecoverPool } from '../recovery/recoverPool.ts'
import { systemClock } from '../system/clock.ts'
import { txHash } from '../types/encodeTx.ts'
import { senderOf, signTx } from '../types/signTx.ts'
import type { PoolFault } from './fault.ts'
import { createIntake } from './intake.ts'

const key = new Uint8Array(32).fill(1)

function signed(nonce: number, gasPrice: bigint) {
  const { v: _, r: __, s: ___, ...fields } = transfer(1, nonce, gasPrice)
  return { tx: signTx({ ...fields, chainId: 1337n }, key), sidecar: undefined }
}

const at = (now: number) => ({ ...systemClock, now: () => now })
const never = () => false

/** A recover pool that records the sizes of its batches. */
function counting(): RecoverPool & { readonly batches: number[] } {
  const inner = createRecoverPool({ threads: 0 })
  const batches: number[] = []
  return {
    batches,
    recover(inputs) {
      batches.push(inputs.length / 97)
      return inner.recover(inputs)
    },
    close: inner.close,
  }
}

test('what comes together is recovered together and answered one by one', async () => {
  const world = createWorld()
  const recover = counting()
  const intake = createIntake({ pool: world.pool, recover, clock: at(42), isBlockDue: never })
  const given = [signed(0, 10n), signed(1, 10n), signed(1, 10n), signed(1, 9n), signed(5000, 10n)]
  const answers = await Promise.all(given.map((candidate) => intake.submit(candidate, true)))
  // Signing is deterministic: the third is the second again.
  expect(answers.map((fault) => fault?.code)).toEqual([
    undefined,
    undefined,
    'TRANSACTION_ALREADY_KNOWN',
    'TRANSACTION_REPLACEMENT_UNDERPRICED',
    'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER',
  ])
  expect(recover.batches).toEqual([4])
  expect([...world.pool.pending()].map((e) => [e.sender, e.local, e.addedAt])).toEqual([
    [privateKeyToAddress(key), true, 42],
    [privateKeyToAddress(key), true, 42],
  ])
})

test('a known transaction is refused without recovery', async () => {
  const world = createWorld()
  const recover = counting()
  const intake = createIntake({ pool: world.pool, recover, clock: at(0), isBlockDue: never })
  await intake.submit(signed(0, 10n), true)
  expect(await intake.submit(signed(0, 10n), false)).toEqual({ code: 'TRANSACTION_ALREADY_KNOWN' })
  expect(recover.batches).toEqual([1])
})

test('when recovery breaks down the callers hear of it and the next ones are served', async () => {
  const world = createWorld()
  let broken = true
  const inner = createRecoverPool({ threads: 0 })
  const recover: RecoverPool = {
    recover: (inputs) => (broken ? Promise.reject(new Error('no threads')) : inner.recover(inputs)),
    close: inner.close,
  }
  const intake = createIntake({ pool: world.pool, recover, clock: at(0), isBlockDue: never })
  await expect(intake.submit(signed(0, 10n), true)).rejects.toThrow('no threads')
  broken = false
  expect(await intake.submit(signed(0, 10n), true)).toBeUndefined()
  expect([...world.pool.entries()]).toHaveLength(1)
})

test('while a block is due a flood waits, a few do not', async () => {
  const world = createWorld()
  const recover = counting()
  let isDue = true
  const looks: (() => void)[] = []
  const clock = {
    now: () => 0,
    after(_: number, look: () => void) {
      looks.push(look)
      return () => {}
    },
  }
  const intake = createIntake({ pool: { ...world.pool, count: () => 1024 }, recover, clock, isBlockDue: () => isDue })
  await intake.submit(signed(0, 10n), true)
  const flood = Array.from({ length: 65 }, (_, i) => intake.submit(signed(1 + i, 10n), true))
  await new Promise(setImmediate)
  expect([recover.batches, looks.length]).toEqual([[1], 1])
  isDue = false
  for (const look of looks) look()
  await Promise.all(flood)
  expect(recover.batches).toEqual([1, 65])
})

test.each([
  ['a tenth of a second at a time, if the block finds enough', 1024, 100],
  ['not at all, if the block would find little', 1023, 0],
])('a flood waits for a block that does not come: %s', async (_, inPool, waited) => {
  const world = createWorld()
  let now = 0
  const clock = {
    now: () => now,
    after(milliseconds: number, look: () => void) {
      now += milliseconds
      queueMicrotask(look)
      return () => {}
    },
  }
  const pool = { ...world.pool, count: () => inPool }
  const intake = createIntake({ pool, recover: counting(), clock, isBlockDue: () => true })
  await Promise.all(Array.from({ length: 65 }, (_, i) => intake.submit(signed(i, 10n), true)))
  expect(now).toBe(waited)
})

test('when thousands wait, a user is told to come back and transactions of peers are still accepted', async () => {
  const world = createWorld()
  const release: (() => void)[] = []
  const recover: RecoverPool = {
    recover: (inputs) =>
      new Promise((done) => release.push(() => done(Array.from({ length: inputs.length / 97 }, () => undefined)))),
    close: async () => {},
  }
  const intake = createIntake({ pool: world.pool, recover, clock: at(0), isBlockDue: never })
  const one = signed(0, 10n)
  // They differ only in their hash: signing thousands takes long.
  const many = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => ({ ...one, tx: { ...one.tx, nonce: BigInt(from + i) } }))
  for (const candidate of many(16_384, 0)) void intake.submit(candidate, true)
  expect(await intake.submit(many(1, 20_000)[0]!, true)).toEqual({
    code: 'TOO_MANY_TRANSACTIONS',
    retryAfter: 1,
  })
  const ofPeer = intake.submit(many(1, 20_001)[0]!, false)
  expect(await Promise.race([ofPeer, Promise.resolve('waits')])).toBe('waits')
})

test('what waits is found, and is not recovered again if its sender becomes known meanwhile', async () => {
  const world = createWorld()
  const recover = counting()
  const intake = createIntake({ pool: world.pool, recover, clock: at(0), isBlockDue: never })
  const [first, second] = [signed(0, 10n), signed(1, 10n)]
  const answers = [first, second].map((candidate) => intake.submit(candidate, true))
  expect(intake.find(txHash(first.tx))).toBe(first.tx)
  expect(senderOf(first.tx)).toEqual(privateKeyToAddress(key))
  expect(await Promise.all(answers)).toEqual([undefined, undefined])
  expect(recover.batches).toEqual([1])
  expect(intake.find(txHash(first.tx))).toBeUndefined()
})

test('what was refused before its sender was known leaves a gap, and what comes behind the gap is refused, too', async () => {
  const world = createWorld()
  const sender = privateKeyToAddress(key)
  const undecided: number[] = []
  const full: PoolFault = { code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 }
  const intake = createIntake({
    pool: world.pool,
    recover: counting(),
    clock: at(0),
    isBlockDue: never,
    findOverload({ nonce }, { count }) {
      undecided.push(count)
      return nonce === 1n ? full : undefined
    },
    findGapFault: ({ nonce }) => (nonce > (world.pool.nextNonce(sender) ?? 0n) ? full : undefined),
  })
  const answers = [0, 1, 2].map((nonce) => intake.submit(signed(nonce, 10n), true))
  const ofPeer = intake.submit(signed(3, 10n), false)
  expect(intake.undecided().count).toBe(3)
  expect(await Promise.all(answers)).toEqual([undefined, full, full])
  expect(await ofPeer).toBeUndefined()
  expect([undecided, intake.undecided()]).toEqual([[0, 1, 1], { count: 0, bytes: 0 }])
})

/** A transaction of so many bytes, in place of one that would have to be signed. */
function large(nonce: number, bytes: number) {
  const one = signed(0, 10n)
  return { ...one, tx: { ...one.tx, nonce: BigInt(nonce), data: new Uint8Array(bytes) } }
}

test('senders of large transactions are recovered in batches of half a megabyte', async () => {
  const world = createWorld()
  const recover = counting()
  const intake = createIntake({ pool: world.pool, recover, clock: at(0), isBlockDue: never })
  const sizes = [600_000, 200_000, 200_000, 200_000]
  await Promise.all(sizes.map((bytes, i) => intake.submit(large(i, bytes), true)))
  expect(recover.batches).toEqual([1, 2, 1])
})

test('a few large transactions wait for a block that is due and finds enough, as many small ones do', async () => {
  const world = createWorld()
  let now = 0
  const clock = {
    now: () => now,
    after(milliseconds: number, look: () => void) {
      now += milliseconds
      queueMicrotask(look)
      return () => {}
    },
  }
  const pool = { ...world.pool, bytes: () => 1 << 20 }
  const intake = createIntake({ pool, recover: counting(), clock, isBlockDue: () => true })
  await Promise.all([0, 1, 2].map((i) => intake.submit(large(i, 100_000), true)))
  expect(now).toBe(100)
})

test('when 16 MiB wait, a user is told to come back', async () => {
  const world = createWorld()
  const recover: RecoverPool = { recover: () => new Promise(() => {}), close: async () => {} }
  const intake = createIntake({ pool: world.pool, recover, clock: at(0), isBlockDue: never })
  for (let i = 0; i < 5; i++) void intake.submit(large(i, 4_000_000), true)
  expect(await intake.submit(signed(0, 10n), true)).toEqual({ code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 })
  expect(intake.undecided()).toEqual({ count: 5, bytes: 5 * 4_000_120 })
})

test('others have their turn between transactions about which permissioning takes long', async () => {
  const permits = () => {
    for (const end = performance.now() + 6; performance.now() < end; );
    return 'allowed' as const
  }
  const world = createWorld({ ports: { permits } })
  const recover = createRecoverPool({ threads: 0 })
  const intake = createIntake({ pool: world.pool, recover, clock: at(0), isBlockDue: never })
  let turns = 0
  let isDone = false
  const all = Promise.all(Array.from({ length: 20 }, (_, n) => intake.submit(signed(n, 10n), false)))
  void all.then(() => (isDone = true))
  for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect(await all).toEqual(Array(20).fill(undefined))
  expect(turns).toBeGreaterThan(18)
})
