import type { Step } from '../../evm/tracer.ts'

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
  [0x37, [0, 2]],
  [0x39, [0, 2]],
  [0x3c, [1, 3]],
  [0x3e, [0, 2]],
  [0x52, [0, 32n]],
  [0x53, [0, 1n]],
  [0x5e, [0, 2]],
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
  return op === 0xf1 || op === 0xf2 || op === 0xf4 || op === 0xfa
}

/** Where a call is to leave its output. */
export function outputPlace({ op, peek }: Step): MemoryPlace {
  const at = op === 0xf1 || op === 0xf2 ? 5 : 4
  return { offset: peek(at) ?? 0n, length: peek(at + 1) ?? 0n }
}
