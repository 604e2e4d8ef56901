import type { Halt } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import { opTableOf } from '../../evm/opTables.ts'
import type { CallFailure } from '../../execution/tracing/callTracer.ts'
import { rulesOf } from '../../forks/rules.ts'

const ops = opTableOf(rulesOf('osaka'))
const stackLimit = 1024

/** Words of geth 1.13, which tools look for; later releases put sizes behind some of them. */
const texts: Readonly<Partial<Record<Halt, string>>> = {
  revert: 'execution reverted',
  outOfGas: 'out of gas',
  invalidJump: 'invalid jump destination',
  staticViolation: 'write protection',
  returnDataBounds: 'return data out of bounds',
  callDepth: 'max call depth exceeded',
  insufficientBalance: 'insufficient balance for transfer',
  createCollision: 'contract address collision',
  codeTooLarge: 'max code size exceeded',
  invalidCode: 'invalid code: must not begin with 0xef',
  // An opcode that creates has no price for more; a transaction with more is refused before it runs.
  initCodeTooLarge: 'out of gas',
  codeDepositOutOfGas: 'contract creation code storage out of gas',
  nonceOverflow: 'nonce uint64 overflow',
  // geth passes on what the library behind the contract says, which differs between its releases.
  precompileFailure: 'precompiled contract failed',
}

/** Why a frame failed, as geth puts it. */
export function gethHaltText({ halt, op, stackHeight }: CallFailure): string {
  const known = ops[op]
  switch (halt) {
    case 'invalidOpcode':
      return `invalid opcode: ${known?.name ?? (op === opcodes.INVALID ? 'INVALID' : `opcode 0x${op.toString(16)} not defined`)}`
    case 'stackUnderflow':
      return `stack underflow (${stackHeight} <=> ${known?.in ?? 0})`
    case 'stackOverflow':
      return `stack limit reached ${stackHeight} (${stackLimit + (known?.in ?? 0) - (known?.out ?? 0)})`
    default:
      return texts[halt] ?? halt
  }
}
