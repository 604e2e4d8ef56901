import { expect, test } from 'vitest'
import { zeroHash } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { BlockError, TxError } from './fault.ts'

test('messages have the code, a sentence and the details', () => {
  const { message } = new BlockError({ code: 'STATE_ROOT_MISMATCH', have: zeroHash, want: zeroHash })
  const zero = toHex(zeroHash)
  expect(message).toBe(`STATE_ROOT_MISMATCH: the state root differs from the header's (have: ${zero}, want: ${zero})`)
  expect(new TxError({ code: 'BLOBS_MISSING' }).message).toBe('BLOBS_MISSING: a blob transaction has no blobs')
})

test('a block with an invalid transaction says what is wrong with it', () => {
  expect(new BlockError({ code: 'TRANSACTION_INVALID', index: 3, reason: 'SENDER_HAS_CODE' }).message).toBe(
    'TRANSACTION_INVALID: a transaction is invalid: the sender is a contract (EIP-3607) (index: 3, reason: SENDER_HAS_CODE)',
  )
})
