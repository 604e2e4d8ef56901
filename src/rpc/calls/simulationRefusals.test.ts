import { expect, test } from 'vitest'
import { BlockError, TxError } from '../../execution/fault.ts'
import { rpcErrorObject } from '../protocol/codes.ts'
import { RpcError } from '../protocol/fault.ts'
import { explainRefusals } from './simulationRefusals.ts'

function refusal(error: Error) {
  try {
    return explainRefusals(() => {
      throw error
    })
  } catch (thrown) {
    return thrown instanceof RpcError ? rpcErrorObject(thrown) : thrown
  }
}

test('what the input causes is no internal error', () => {
  const missing = new BlockError({ code: 'SYSTEM_CONTRACT_MISSING', contract: 'withdrawalRequests' })
  expect(refusal(missing)).toMatchObject({ code: -32000, message: expect.stringContaining('SYSTEM_CONTRACT_MISSING') })
  expect(refusal(new TxError({ code: 'NONCE_TOO_LOW', have: 1n, want: 2n }))).toMatchObject({ code: -38010 })
  const ours = new TypeError('ours')
  expect(refusal(ours)).toBe(ours)
})
