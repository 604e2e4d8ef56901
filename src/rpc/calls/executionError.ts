import type { Halt } from '../../evm/message.ts'
import type { TxOutcome } from '../../execution/runTx.ts'
import { toHex } from '../../primitives/hex.ts'
import { RpcError } from '../protocol/fault.ts'
import { gethReasonOf, type RevertFormat, reasonOf } from './revertFormat.ts'

/** Besu's names of exceptional halts. */
export const haltNames: Readonly<Record<Halt, string>> = {
  stop: 'NONE',
  return: 'NONE',
  selfdestruct: 'NONE',
  revert: 'NONE',
  outOfGas: 'INSUFFICIENT_GAS',
  invalidOpcode: 'INVALID_OPERATION',
  stackUnderflow: 'INSUFFICIENT_STACK_ITEMS',
  stackOverflow: 'TOO_MANY_STACK_ITEMS',
  invalidJump: 'INVALID_JUMP_DESTINATION',
  staticViolation: 'ILLEGAL_STATE_CHANGE',
  returnDataBounds: 'INVALID_RETURN_DATA_BUFFER_ACCESS',
  callDepth: 'INSUFFICIENT_GAS',
  insufficientBalance: 'INSUFFICIENT_GAS',
  createCollision: 'ILLEGAL_STATE_CHANGE',
  codeTooLarge: 'CODE_TOO_LARGE',
  invalidCode: 'INVALID_CODE',
  initCodeTooLarge: 'CODE_TOO_LARGE',
  nonceOverflow: 'ILLEGAL_STATE_CHANGE',
  precompileFailure: 'PRECOMPILE_ERROR',
  codeDepositOutOfGas: 'INSUFFICIENT_GAS',
}

/** The error of a call that did not succeed; with `named` it says which halt it was. */
export function executionError(
  { halt, output }: Pick<TxOutcome, 'halt' | 'output'>,
  named: boolean,
  format: RevertFormat = 'BESU',
): RpcError {
  if (halt !== 'revert')
    return new RpcError(named ? { code: 'EXECUTION_HALTED', detail: haltNames[halt] } : { code: 'EXECUTION_HALTED' })
  const [code, reason] =
    format === 'GETH'
      ? (['GETH_EXECUTION_REVERTED', gethReasonOf(output)] as const)
      : (['EXECUTION_REVERTED', reasonOf(output)] as const)
  const at = { code, data: toHex(output) }
  return new RpcError(reason === undefined ? at : { ...at, detail: reason })
}
