import type { Halt } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import { precompilesOf } from '../../evm/precompiles/registry.ts'
import type { FrameEnter, FrameExit, StepEnd } from '../../evm/tracer.ts'
import type { Rules } from '../../forks/rules.ts'
import { type Address, keyOf } from '../../primitives/bytes.ts'

/** The message that a frame of code, or the lack of it, carries out. */
export interface BesuMessage {
  readonly creates: boolean
  /** Whose storage it works on. */
  readonly recipient: Address
  /** The value that its code sees. */
  readonly value: bigint
  readonly input: Uint8Array
  readonly code: Uint8Array
}

export interface MemoryWrite {
  readonly offset: bigint
  readonly bytes: Uint8Array
}

/**
 * One entry of Besu's list of what happened, which its traces are made from. A call to an account without code has an
 * entry too: a STOP that stands in no code.
 */
export interface BesuFrame {
  readonly pc: number
  /** Empty for a precompiled contract that the transaction itself calls. */
  readonly op: string
  /** 0 for the outermost message. */
  readonly depth: number
  readonly gas: bigint
  /** Without what was passed on. */
  readonly cost: bigint
  readonly refund: bigint
  readonly message: BesuMessage
  readonly isVirtual: boolean
  /** Uppermost words of the stack before the opcode, from the top. */
  readonly top: bigint | undefined
  readonly second: bigint | undefined
  /** What the opcode left on the stack, bottom first. */
  readonly pushed: readonly bigint[]
  readonly output: Uint8Array
  readonly memoryWrite: MemoryWrite | undefined
  readonly storageWrite: { readonly slot: bigint; readonly value: bigint } | undefined
  /** The exceptional halt; Besu does not report every one. */
  halt: Halt | undefined
  /** Code of the message that is under way afterwards: a call's, that of the callee. */
  code: Uint8Array
  precompileCost: bigint | undefined
  /** Gas before the entry that follows. */
  gasAfter: bigint
  /** What a SELFDESTRUCT gave away. */
  balance: bigint
}

/** Takes the entries in order, each with the one that follows. */
export type BesuFrameSink = (frame: BesuFrame, next: BesuFrame | undefined) => void

/** From these on Besu runs opcodes by a shortcut that looks at the gas only afterwards, and then names no halt. */
const shortcuts: readonly (readonly [first: number, last: number])[] = [
  [opcodes.ADD, opcodes.MULMOD],
  [opcodes.SIGNEXTEND, opcodes.SIGNEXTEND],
  [opcodes.LT, opcodes.SGT],
  [opcodes.ISZERO, opcodes.BYTE],
  [opcodes.POP, opcodes.POP],
  [opcodes.JUMP, opcodes.JUMPI],
  [opcodes.JUMPDEST, opcodes.JUMPDEST],
  [opcodes.PUSH0, opcodes.SWAP16],
]

const isShortcut = Array.from({ length: 256 }, (_, op) => shortcuts.some(([first, last]) => op >= first && op <= last))

const stores: ReadonlySet<number> = new Set([opcodes.SSTORE, opcodes.TSTORE])
/** Opcodes that change the state, which a static call may not do. */
const changing: ReadonlySet<number> = new Set([
  ...stores,
  opcodes.LOG0,
  opcodes.LOG1,
  opcodes.LOG2,
  opcodes.LOG3,
  opcodes.LOG4,
  opcodes.CREATE,
  opcodes.CREATE2,
  opcodes.SELFDESTRUCT,
])

/** The halt that Besu's traces name at an opcode: it looks for changes in a static call before it looks at the gas. */
export function namedHalt({ op, error }: Pick<StepEnd, 'op' | 'error'>, isStatic: boolean): Halt | undefined {
  if (error !== 'outOfGas') return error
  if (isStatic && changing.has(op)) return 'staticViolation'
  return isShortcut[op] ? undefined : error
}

/** The gas that Besu's traces name at an opcode, without what was passed on. */
export function namedCost({ op, error, cost, passedGas }: StepEnd, gas: bigint): bigint {
  if (error === 'returnDataBounds') return 0n
  return error === 'staticViolation' && stores.has(op) ? gas : cost - passedGas
}

/** What Besu charges for a precompiled contract: its price, also where it fails and all gas is gone. */
export function precompileCost({ codeAddress, input }: FrameEnter, { halt, gasUsed }: FrameExit, rules: Rules): bigint {
  return halt === 'stop' ? gasUsed : precompilesOf(rules).get(keyOf(codeAddress))!.gas(input, rules)
}

/** Ways in which a creation fails although its code has run well. */
const depositFailures: ReadonlySet<Halt> = new Set<Halt>(['codeTooLarge', 'invalidCode', 'codeDepositOutOfGas'])

/** Gas of a byte of code. */
export const depositPrice = 200n

/** Why code that was returned with so much gas left cannot be kept: Besu asks first whether it can be paid for. */
export function depositFailure(halt: Halt, gasLeft: bigint, bytes: number): Halt | undefined {
  if (!depositFailures.has(halt)) return undefined
  return gasLeft < BigInt(bytes) * depositPrice ? 'codeDepositOutOfGas' : halt
}
