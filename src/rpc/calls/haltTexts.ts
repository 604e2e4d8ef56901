import type { Halt } from '../../evm/message.ts'

/** Besu's descriptions of halts. */
export const haltTexts: Readonly<Record<Halt, string>> = {
  stop: '',
  return: '',
  selfdestruct: '',
  revert: 'Reverted',
  outOfGas: 'Out of gas',
  invalidOpcode: 'Bad instruction',
  stackUnderflow: 'Stack underflow',
  stackOverflow: 'Out of stack',
  invalidJump: 'Bad jump destination',
  staticViolation: 'Illegal state change',
  returnDataBounds: 'Out of bounds',
  callDepth: 'Out of gas',
  insufficientBalance: 'Out of gas',
  createCollision: 'Out of gas',
  codeTooLarge: 'Code is too large',
  invalidCode: 'Code is invalid',
  initCodeTooLarge: 'Code is too large',
  nonceOverflow: 'Illegal state change',
  precompileFailure: 'Precompile error',
  codeDepositOutOfGas: 'Out of gas',
}
