import type { ForkName } from '../../../src/forks/table.ts'
import { type Opcode, opcode } from '../opcode.ts'
import { signed, wrap } from '../words.ts'

const binary = (byte: number, name: string, f: (a: bigint, b: bigint) => bigint | boolean, since?: ForkName) =>
  opcode(byte, name, 2, 1, 3n, (frame) => frame.push(wrap(BigInt(f(frame.pop(), frame.pop())))), since)

const unary = (byte: number, name: string, gas: bigint, f: (a: bigint) => bigint | boolean, since?: ForkName) =>
  opcode(byte, name, 1, 1, gas, (frame) => frame.push(wrap(BigInt(f(frame.pop())))), since)

/** Comparison and bits; a shift by 256 or more leaves nothing, or the sign. */
export const logic: readonly Opcode[] = [
  binary(0x10, 'LT', (a, b) => a < b),
  binary(0x11, 'GT', (a, b) => a > b),
  binary(0x12, 'SLT', (a, b) => signed(a) < signed(b)),
  binary(0x13, 'SGT', (a, b) => signed(a) > signed(b)),
  binary(0x14, 'EQ', (a, b) => a === b),
  unary(0x15, 'ISZERO', 3n, (a) => a === 0n),
  binary(0x16, 'AND', (a, b) => a & b),
  binary(0x17, 'OR', (a, b) => a | b),
  binary(0x18, 'XOR', (a, b) => a ^ b),
  unary(0x19, 'NOT', 3n, (a) => ~a),
  binary(0x1a, 'BYTE', (index, word) => (index < 32n ? (word >> (8n * (31n - index))) & 0xffn : 0n)),
  binary(0x1b, 'SHL', (shift, word) => (shift < 256n ? word << shift : 0n), 'constantinople'),
  binary(0x1c, 'SHR', (shift, word) => (shift < 256n ? word >> shift : 0n), 'constantinople'),
  binary(0x1d, 'SAR', (shift, word) => signed(word) >> (shift < 256n ? shift : 256n), 'constantinople'),
  unary(0x1e, 'CLZ', 5n, (word) => BigInt(256 - (word === 0n ? 0 : word.toString(2).length)), 'osaka'),
]
