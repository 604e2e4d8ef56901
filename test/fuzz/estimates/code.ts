import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { type Rules, since } from '../../../src/forks/rules.ts'
import { type Assembler, createAssembler, type Label } from '../generate/assembler.ts'
import type { Random } from '../random.ts'

/** What a contract is made with. */
export interface Code {
  readonly random: Random
  readonly rules: Rules
  readonly asm: Assembler
  /** Contracts that it may call; they never call back. */
  readonly callees: readonly bigint[]
  /** Accounts without code that ether may be sent to: some exist, some do not. */
  readonly payees: readonly bigint[]
  /** Where a failed requirement goes. */
  readonly fail: Label
}

/** Something that a contract does; the stack is as high afterwards as before. */
export type Deed = (code: Code) => void

/** Fails unless the word on top of the stack is true. */
export function require({ asm, fail }: Code): void {
  asm.op(op.ISZERO)
  asm.pushLabel(fail)
  asm.op(op.JUMPI)
}

/** Requires the word on top of the stack, or leaves it out of account. */
export function requireOrIgnore(code: Code, share: number): void {
  if (code.random.percent(share)) require(code)
  else code.asm.op(op.POP)
}

/** Puts the gas for a call on the stack: all, or a fixed amount. */
export function pushGas({ random, rules, asm }: Code): void {
  if (random.percent(25)) asm.push(BigInt(random.pick([0, 700, 2300, 5000, 30_000, 100_000])))
  else if (since(rules, 'tangerineWhistle')) asm.op(op.GAS)
  else {
    // Before EIP-150 a call that asks for more than there is fails.
    asm.push(BigInt(random.pick([10_000, 36_000, 60_000])))
    asm.op(op.GAS, op.SUB)
  }
}

/** Code that does these things and stops, or fails where a requirement is not met. */
export function writeCode(around: Omit<Code, 'asm' | 'fail'>, deeds: readonly Deed[], end?: Deed): Uint8Array {
  const code: Code = { ...around, asm: createAssembler(), fail: { position: undefined } }
  for (const deed of deeds) deed(code)
  if (end) end(code)
  else code.asm.op(op.STOP)
  code.asm.place(code.fail)
  if (since(code.rules, 'byzantium') && code.random.percent(80)) {
    code.asm.push(0n)
    code.asm.push(0n)
    code.asm.op(op.REVERT)
  } else code.asm.op(op.INVALID)
  return code.asm.code()
}
