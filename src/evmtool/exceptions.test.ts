import { expect, test } from 'vitest'
import { BlockError, TxError } from '../execution/fault.ts'
import { RlpError } from '../primitives/rlp.ts'
import { expectRefusal } from './exceptions.ts'

const noFunds = new TxError({ code: 'INSUFFICIENT_FUNDS', have: 0n, want: 1n })
const inBlock = new BlockError({ code: 'TRANSACTION_INVALID', index: 0, reason: 'INSUFFICIENT_FUNDS' })

test('the right reason passes, from a transaction and from its block', () => {
  expectRefusal(noFunds, 'TR_NoFunds')
  expectRefusal(inBlock, 'TransactionException.INSUFFICIENT_ACCOUNT_FUNDS')
  expectRefusal(inBlock, 'TransactionException.NONCE_IS_MAX|TransactionException.INSUFFICIENT_ACCOUNT_FUNDS')
  expectRefusal(new RlpError({ code: 'RLP_LEADING_ZERO' }), 'TransactionException.RLP_LEADING_ZEROS_VALUE')
})

test('another reason, no refusal, an unknown name and a crash fail', () => {
  expect(() => expectRefusal(noFunds, 'TR_NonceTooLow')).toThrow('expected TR_NonceTooLow')
  expect(() => expectRefusal(undefined, 'TR_NoFunds')).toThrow('accepted')
  expect(() => expectRefusal(noFunds, 'TR_NeverHeardOf')).toThrow('unknown exception')
  expect(() => expectRefusal(new TypeError('oops'), 'TR_NoFunds')).toThrow('oops')
})
