import type { Halt } from '../../evm/message.ts'
import type { Address } from '../../primitives/bytes.ts'

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
  /** The exceptional halt; Besu does not tell of every one. */
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
  [0x01, 0x09],
  [0x0b, 0x0b],
  [0x10, 0x13],
  [0x15, 0x1a],
  [0x50, 0x50],
  [0x56, 0x57],
  [0x5b, 0x5b],
  [0x5f, 0x9f],
]

const isShortcut = Array.from({ length: 256 }, (_, op) => shortcuts.some(([first, last]) => op >= first && op <= last))

/** The halt that Besu's traces name at an opcode. */
export function namedHalt(op: number, halt: Halt | undefined): Halt | undefined {
  return halt === 'outOfGas' && isShortcut[op] ? undefined : halt
}

/** Ways in which a creation fails although its code has run well. */
export const depositFailures: ReadonlySet<Halt> = new Set<Halt>(['codeTooLarge', 'invalidCode', 'codeDepositOutOfGas'])
