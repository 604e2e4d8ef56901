import { afterAll, expect, test } from 'vitest'
import { concatBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'
import { createRecoverPool } from './recoverPool.ts'

const key = new Uint8Array(32).fill(9)
const sender = privateKeyToAddress(key)

function inputOf(i: number): Uint8Array {
  const digest: Hash32 = keccak256(Uint8Array.of(i & 0xff, i >> 8))
  const { rs, parity } = curve.sign(digest, key)
  // Every seventh signature is spoilt: r is above the group's order.
  if (i % 7 === 0) rs.fill(0xff, 0, 32)
  return concatBytes(digest, rs, Uint8Array.of(parity))
}

const batch = (count: number) => concatBytes(...Array.from({ length: count }, (_, i) => inputOf(i)))
const answers = (count: number) => Array.from({ length: count }, (_, i) => (i % 7 === 0 ? undefined : sender))

const pool = createRecoverPool({ threads: 2 })
afterAll(() => pool.close())

test.each([0, 1, 15, 16, 65, 300])('a batch of %i is answered in order', async (count) => {
  expect(await pool.recover(batch(count))).toEqual(answers(count))
})

test('batches at the same time do not mix', async () => {
  const counts = [40, 100, 3, 200]
  expect(await Promise.all(counts.map((n) => pool.recover(batch(n))))).toEqual(counts.map(answers))
})

test('no threads at all work too', async () => {
  expect(await createRecoverPool({ threads: 0 }).recover(batch(20))).toEqual(answers(20))
})

test('what is under way when the threads end is still answered', async () => {
  const short = createRecoverPool({ threads: 1 })
  const under = short.recover(batch(200))
  await short.close()
  expect(await under).toEqual(answers(200))
})
