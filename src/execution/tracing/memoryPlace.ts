import { opcodes } from '../../evm/opcodes.ts'
import type { Step } from '../../evm/tracer.ts'

const { CALL, CALLCODE, DELEGATECALL, STATICCALL } = opcodes

/** A part of a frame's memory; beyond what exists where the opcode cannot be paid. */
export interface MemoryPlace {
  readonly offset: bigint
  readonly length: bigint
}

/** Positions of offset and length on the stack, by opcode; a number of bytes in place of the latter. */
const writes: ReadonlyMap<number, readonly [offset: number, length: number | bigint]> = new Map<
  number,
  readonly [number, number | bigint]
>([
  [opcodes.CALLDATACOPY, [0, 2]],
  [opcodes.CODECOPY, [0, 2]],
  [opcodes.EXTCODECOPY, [1, 3]],
  [opcodes.RETURNDATACOPY, [0, 2]],
  [opcodes.MSTORE, [0, 32n]],
  [opcodes.MSTORE8, [0, 1n]],
  [opcodes.MCOPY, [0, 2]],
])

/** Whether an opcode writes to the memory of its frame by itself. */
export const writesMemory: readonly boolean[] = Array.from({ length: 256 }, (_, op) => writes.has(op))

/** Where an opcode is about to write. */
export function writtenPlace({ op, peek }: Step): MemoryPlace | undefined {
  const where = writes.get(op)
  if (!where) return undefined
  const [at, size] = where
  return { offset: peek(at) ?? 0n, length: typeof size === 'bigint' ? size : (peek(size) ?? 0n) }
}

/** Whether an opcode starts a frame that returns into memory. */
export function isCall(op: number): boolean {
  return op === CALL || op === STATICCALL || op === DELEGATECALL || op === CALLCODE
}

/** Where a call is to leave its output. */
export function outputPlace({ op, peek }: Step): MemoryPlace {
  const at = op === CALL || op === CALLCODE ? 5 : 4
  return { offset: peek(at) ?? 0n, length: peek(at + 1) ?? 0n }
}
