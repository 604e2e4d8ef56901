import { expect, test } from 'vitest'
import { createWorld, transfer } from '../../test/support/poolFixtures.ts'
import { createRecoverPool, type RecoverPool } from '../primitives/recoverPool.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { signTx } from '../types/signTx.ts'
import { createIntake } from './intake.ts'

const key = new Uint8Array(32).fill(1)

function signed(nonce: number, gasPrice: bigint) {
  const { v: _, r: __, s: ___, ...fields } = transfer(1, nonce, gasPrice)
  return { tx: signTx({ ...fields, chainId: 1337n }, key), sidecar: undefined }
}

/** Counts batches in front of the real thing. */
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
  const intake = createIntake({ pool: world.pool, recover, now: () => 42 })
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
  const intake = createIntake({ pool: world.pool, recover, now: () => 0 })
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
  const intake = createIntake({ pool: world.pool, recover, now: () => 0 })
  await expect(intake.submit(signed(0, 10n), true)).rejects.toThrow('no threads')
  broken = false
  expect(await intake.submit(signed(0, 10n), true)).toBeUndefined()
  expect([...world.pool.entries()]).toHaveLength(1)
})
