import { type Hex, hexToBytes, toHex } from 'viem'
import { opcodes } from '../../src/evm/opcodes.ts'

const names = new Map<number, string>(Object.entries(opcodes).map(([name, byte]) => [byte, name]))
const push1 = opcodes.PUSH1
const push32 = opcodes.PUSH32

/** An instruction of a contract. */
export interface Instruction {
  readonly pc: number
  readonly name: string
  /** What a PUSH puts on the stack; shorter than its size where the code ends. */
  readonly operand?: Hex
}

/** Reads code as instructions. Bytes after the last STOP may be data (metadata of the compiler): they are read all the same. */
export function disassemble(code: Hex): readonly Instruction[] {
  const bytes = hexToBytes(code)
  const found: Instruction[] = []
  for (let pc = 0; pc < bytes.length; pc++) {
    const byte = bytes[pc]!
    const name = names.get(byte) ?? `INVALID (0x${byte.toString(16).padStart(2, '0')})`
    if (byte < push1 || byte > push32) {
      found.push({ pc, name })
      continue
    }
    const length = byte - push1 + 1
    found.push({ pc, name, operand: toHex(bytes.slice(pc + 1, pc + 1 + length)) })
    pc += length
  }
  return found
}
