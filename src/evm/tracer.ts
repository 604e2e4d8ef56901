import type { Address } from '../primitives/bytes.ts'
import type { Halt } from './message.ts'

/**
 * One opcode. Reads the engine's memory when asked, so that it is valid only during the callback: copy what you keep.
 */
export interface Step {
  readonly pc: number
  readonly op: number
  /** 'INVALID' where the fork knows no such opcode. */
  readonly opName: string
  /** 1 for the outermost frame. */
  readonly depth: number
  /** Gas before the opcode. */
  readonly gas: bigint
  readonly refund: bigint
  /** Whose storage the frame works on. */
  readonly address: Address
  readonly stackHeight: number
  /** Counted from the top; undefined below the bottom. */
  peek(fromTop: number): bigint | undefined
  /** The whole stack, bottom first. */
  stack(): bigint[]
  /** The stack itself, bottom first, in little-endian words of 32 bytes: a window that is gone after the callback. */
  stackWindow(): Uint8Array
  readonly memorySize: number
  memory(): Uint8Array
  /** The memory itself: a window that is gone after the callback. */
  memoryWindow(): Uint8Array
  returnData(): Uint8Array
}

/**
 * The same step when its opcode has run: stack, memory, return data and refund are those after it. Of a step that starts
 * another frame, or ends its own, the stack is not defined; a call's result is on the stack at the frame's next step.
 */
export interface StepEnd extends Step {
  /**
   * All that the opcode cost, with the gas that it passed on to another frame (geth counts that for calls but not for
   * creations, Besu never); for a step that ran out of gas, what it wanted.
   */
  readonly cost: bigint
  /** The part of `cost` that another frame was given (the stipend of a call with value comes on top of it). */
  readonly passedGas: bigint
  /** The exceptional halt that this opcode ended its frame with. */
  readonly error: Halt | undefined
}

export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'

/** A frame begins: also of precompiles and of accounts without code, and SELFDESTRUCT. */
export interface FrameEnter {
  readonly kind: FrameKind
  /** Only code has steps: an account without code, and empty init code, have none. */
  readonly runs: 'code' | 'precompile' | 'nothing'
  /** 1 for the outermost frame. */
  readonly depth: number
  readonly from: Address
  /** The account called, created or given the balance. */
  readonly to: Address
  /** Whose code runs: differs from `to` after a delegation (EIP-7702). */
  readonly codeAddress: Address
  readonly value: bigint
  readonly gas: bigint
  readonly input: Uint8Array
}

/** A frame ended. */
export interface FrameExit {
  readonly depth: number
  readonly halt: Halt
  readonly gasUsed: bigint
  /** What was returned or reverted with; a creation's code. */
  readonly output: Uint8Array
}

/** Hooks of the tracing engine, called synchronously: step, stepEnd, step …; a frame's events come between those of its caller. */
export interface Tracer {
  /** Opcodes whose steps are told; all of them when absent. The end of a step that fails is told in any case. */
  readonly watches?: readonly number[]
  onStep?(step: Step): void
  onStepEnd?(step: StepEnd): void
  onEnter?(frame: FrameEnter): void
  onExit?(frame: FrameExit): void
}
