import type { Address } from '../primitives/bytes.ts'
import type { Halt } from './message.ts'

/** A step: one opcode. Its members read the EVM's memory on access and are valid only during the callback. */
export interface Step {
  readonly pc: number
  readonly op: number
  /** 'INVALID' if the byte is not an opcode in the fork. */
  readonly opName: string
  /** 1 for the outermost frame. */
  readonly depth: number
  /** Gas before the opcode. */
  readonly gas: bigint
  readonly refund: bigint
  /** The account whose storage the frame uses. */
  readonly address: Address
  readonly stackHeight: number
  /** Returns a stack word, counted from the top; undefined below the bottom. */
  peek(fromTop: number): bigint | undefined
  /** Returns a copy of the stack, bottom first. */
  stack(): bigint[]
  /** Returns a view of the stack, bottom first, in little-endian words of 32 bytes; valid only during the callback. */
  stackWindow(): Uint8Array
  readonly memorySize: number
  memory(): Uint8Array
  /** Returns a view of the memory; valid only during the callback. */
  memoryWindow(): Uint8Array
  returnData(): Uint8Array
}

/**
 * A step after its opcode has run, with the stack, memory, return data and refund after it. The stack of a step that starts
 * or ends a frame is undefined; the result of a call is on the stack at the frame's next step.
 */
export interface StepEnd extends Step {
  /**
   * The gas of the opcode including the gas that it passed to another frame (geth includes that for calls but not for
   * creations, Besu never); for a step that ran out of gas, what it would have cost.
   */
  readonly cost: bigint
  /** The part of `cost` that was passed to another frame (the stipend of a call with value is not included). */
  readonly passedGas: bigint
  /** The exceptional halt by which this opcode ended its frame. */
  readonly error: Halt | undefined
}

export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'

/** The start of a frame; precompiles, accounts without code and SELFDESTRUCT have frames too. */
export interface FrameEnter {
  readonly kind: FrameKind
  /** Only 'code' has steps; 'nothing' is an account without code, or empty init code. */
  readonly runs: 'code' | 'precompile' | 'nothing'
  /** 1 for the outermost frame. */
  readonly depth: number
  readonly from: Address
  /** The account that is called or created, or gets the balance. */
  readonly to: Address
  /** The account whose code runs: differs from `to` after a delegation (EIP-7702). */
  readonly codeAddress: Address
  readonly value: bigint
  readonly gas: bigint
  readonly input: Uint8Array
}

/** The end of a frame. */
export interface FrameExit {
  readonly depth: number
  readonly halt: Halt
  readonly gasUsed: bigint
  /** Return data or revert data; the code of a creation. */
  readonly output: Uint8Array
}

/** Hooks of the tracing EVM, called synchronously: step, stepEnd, step …; a frame's events are between those of its caller. */
export interface Tracer {
  /** Opcodes whose steps are reported; default: all. The end of a step that fails is always reported. */
  readonly watches?: readonly number[]
  onStep?(step: Step): void
  onStepEnd?(step: StepEnd): void
  onEnter?(frame: FrameEnter): void
  onExit?(frame: FrameExit): void
}
