import { afterAll, expect, test } from 'vitest'
import { transfer } from '../../test/support/poolFixtures.ts'
import { type Address, equalBytes } from '../primitives/bytes.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { createRecoverPool } from '../recovery/recoverPool.ts'
import { txHash } from '../types/encodeTx.ts'
import { senderOf, signTx } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import { recoverSenders } from './recoverSenders.ts'

const pool = createRecoverPool({ threads: 1 })
afterAll(() => pool.close())

function signed(key: number, nonce: number): Tx {
  const { v: _, r: __, s: ___, ...fields } = transfer(1, nonce, 1n)
  return signTx({ ...fields, chainId: 1337n }, new Uint8Array(32).fill(key))
}

test('each transaction gets its own sender', async () => {
  const txs = Array.from({ length: 40 }, (_, i) => signed(1 + (i % 5), i))
  await recoverSenders(txs, pool)
  for (const [i, tx] of txs.entries())
    expect(senderOf(tx)).toEqual(privateKeyToAddress(new Uint8Array(32).fill(1 + (i % 5))))
})

test('those that cannot have one do not shift the others', async () => {
  const txs = [{ ...signed(1, 0), r: 0n }, signed(2, 0), { ...signed(3, 0), r: 5n, s: 5n }, signed(4, 0)]
  await recoverSenders(txs, pool)
  expect(senderOf(txs[0]!)).toBeUndefined()
  expect(senderOf(txs[1]!)).toEqual(privateKeyToAddress(new Uint8Array(32).fill(2)))
  expect(senderOf(txs[3]!)).toEqual(privateKeyToAddress(new Uint8Array(32).fill(4)))
})

test('what is known is not asked for', async () => {
  const tx = signed(1, 0)
  const claimed = new Uint8Array(20).fill(7) as Address
  await recoverSenders([tx], pool, (hash) => (equalBytes(hash, txHash(tx)) ? claimed : undefined))
  expect(senderOf(tx)).toBe(claimed)
})
