import { opcodes } from '../opcodes.ts'
import type { OpTable } from '../opTables.ts'

/** An instruction of the EVM. */
export interface Instruction {
  readonly at: number
  readonly code: number
  /** What a PUSH pushes. */
  readonly value: bigint
  readonly next: number
}

/** A basic block as the interpreter delimits it (assembly/analysis.ts). */
export interface Block {
  readonly instructions: readonly Instruction[]
  readonly gas: number
  readonly next: number
}

/** Contract code, read by blocks. */
export interface CodeBlocks {
  readonly length: number
  /** Undefined if the block has an undefined opcode. */
  blockAt(at: number): Block | undefined
  isJumpTarget(at: bigint): boolean
  /** Whether the code from here on does little before it fails. */
  isFailing(at: number): boolean
}

const { GAS, INVALID, JUMP, JUMPDEST, JUMPI, PUSH0, PUSH1, PUSH32, REVERT, SSTORE, STOP } = opcodes
const firstFrameOp = 0xf0
const maxFailingSteps = 40

const endsBlock = (code: number) =>
  code === STOP || code === SSTORE || code === JUMP || code === JUMPI || code === GAS || code >= firstFrameOp

/** Opens code for reading by blocks. */
export function openBlocks(bytes: Uint8Array, ops: OpTable): CodeBlocks {
  const targets = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at += lengthOf(bytes[at]!)) if (bytes[at] === JUMPDEST) targets[at] = 1

  function instructionAt(at: number): Instruction {
    const code = bytes[at] ?? STOP
    const next = at + lengthOf(code)
    let value = 0n
    // Behind the code are zeros.
    for (let i = at + 1; i < next; i++) value = (value << 8n) | BigInt(bytes[i] ?? 0)
    return { at, code, value, next }
  }

  function isJumpTarget(at: bigint): boolean {
    return at < BigInt(bytes.length) && targets[Number(at)] === 1
  }

  const failures = new Map<number, boolean>()
  const blocks = new Map<number, Block | null>()

  /** Null if the block has an undefined opcode. */
  function readBlock(start: number): Block | null {
    const instructions: Instruction[] = []
    let gas = 0
    let at = start
    while (at < bytes.length || at === start) {
      const instruction = instructionAt(at)
      if (instruction.code === JUMPDEST && at !== start) break
      const op = ops[instruction.code]
      if (!op) return null
      gas += op.gas
      instructions.push(instruction)
      at = instruction.next
      if (endsBlock(instruction.code)) break
    }
    return { instructions, gas, next: at }
  }

  function fails(start: number): boolean {
    let at = start
    let pushed = -1n
    for (let steps = 0; steps < maxFailingSteps; steps++) {
      const { code, value, next } = instructionAt(at)
      if (code === REVERT || code === INVALID) return true
      if (code === JUMP && isJumpTarget(pushed)) at = Number(pushed)
      else if (endsBlock(code)) return false
      else at = next
      pushed = code >= PUSH0 && code <= PUSH32 ? value : -1n
    }
    return false
  }

  return {
    length: bytes.length,
    isJumpTarget,
    blockAt(start) {
      const known = blocks.get(start)
      if (known !== undefined) return known ?? undefined
      const block = readBlock(start)
      blocks.set(start, block)
      return block ?? undefined
    },
    isFailing(start) {
      let failing = failures.get(start)
      if (failing === undefined) failures.set(start, (failing = fails(start)))
      return failing
    },
  }
}

function lengthOf(code: number): number {
  return code >= PUSH1 && code <= PUSH32 ? code - PUSH1 + 2 : 1
}
