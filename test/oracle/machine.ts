import type { Rules } from '../../src/forks/rules.ts'
import { emptyBytes } from '../../src/primitives/bytes.ts'
import { createFrame, type Frame, type FrameResult, type FrameStart } from './frame.ts'
import type { World } from './world.ts'

/** What opcodes can learn of the block. */
export interface OracleBlock {
  readonly number: bigint
  readonly timestamp: bigint
  readonly beneficiary: bigint
  readonly gasLimit: bigint
  readonly difficulty: bigint
  readonly prevRandao: bigint
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  readonly chainId: bigint
  /** Hash of one of the 256 blocks before. */
  readonly blockHash: (number: bigint) => bigint
}

/** What the machine does next, as told before each opcode. */
export interface Step {
  readonly depth: number
  readonly pc: number
  readonly op: number
  readonly gas: bigint
  readonly stack: readonly bigint[]
}

/** One transaction's execution: the frames that are under way, innermost last, and what they share. */
export interface Machine {
  readonly world: World
  readonly rules: Rules
  readonly block: OracleBlock
  readonly origin: bigint
  readonly gasPrice: bigint
  readonly blobHashes: readonly bigint[]
  readonly frames: Frame[]
  readonly onStep: ((step: Step) => void) | undefined
}

/** Starts a frame; one without code has ended already. */
export function enter(machine: Machine, start: FrameStart): void {
  if (start.code.length > 0) machine.frames.push(createFrame(start, machine.frames))
  else start.finish({ status: 'success', gasLeft: start.gas, output: emptyBytes })
}

/** Ends the innermost frame; its caller gets the result. */
export function leave(machine: Machine, result: FrameResult): void {
  machine.frames.pop()!.finish(result)
}
