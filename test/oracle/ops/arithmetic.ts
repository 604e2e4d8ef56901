import { since } from '../../../src/forks/rules.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { bytesToBigInt } from '../../../src/primitives/u256.ts'
import { type Opcode, opcode } from '../opcode.ts'
import { signed, wordsIn, wrap } from '../words.ts'

type Binary = (a: bigint, b: bigint) => bigint
type Ternary = (a: bigint, b: bigint, c: bigint) => bigint

const binary = (byte: number, name: string, gas: bigint, f: Binary) =>
  opcode(byte, name, 2, 1, gas, (frame) => frame.push(wrap(f(frame.pop(), frame.pop()))))

const ternary = (byte: number, name: string, gas: bigint, f: Ternary) =>
  opcode(byte, name, 3, 1, gas, (frame) => frame.push(wrap(f(frame.pop(), frame.pop(), frame.pop()))))

/** Division by zero gives zero; signed division cuts towards zero as BigInt's does. */
export const arithmetic: readonly Opcode[] = [
  binary(0x01, 'ADD', 3n, (a, b) => a + b),
  binary(0x02, 'MUL', 5n, (a, b) => a * b),
  binary(0x03, 'SUB', 3n, (a, b) => a - b),
  binary(0x04, 'DIV', 5n, (a, b) => (b === 0n ? 0n : a / b)),
  binary(0x05, 'SDIV', 5n, (a, b) => (b === 0n ? 0n : signed(a) / signed(b))),
  binary(0x06, 'MOD', 5n, (a, b) => (b === 0n ? 0n : a % b)),
  binary(0x07, 'SMOD', 5n, (a, b) => (b === 0n ? 0n : signed(a) % signed(b))),
  ternary(0x08, 'ADDMOD', 8n, (a, b, n) => (n === 0n ? 0n : (a + b) % n)),
  ternary(0x09, 'MULMOD', 8n, (a, b, n) => (n === 0n ? 0n : (a * b) % n)),
  opcode(0x0a, 'EXP', 2, 1, 10n, (frame, { rules }) => {
    const base = frame.pop()
    const exponent = frame.pop()
    const perByte = since(rules, 'spuriousDragon') ? 50n : 10n
    frame.charge(perByte * bytesIn(exponent))
    frame.push(power(base, exponent))
  }),
  binary(0x0b, 'SIGNEXTEND', 5n, (byte, x) => (byte < 31n ? BigInt.asIntN(8 * (Number(byte) + 1), x) : x)),
  opcode(0x20, 'KECCAK256', 2, 1, 30n, (frame) => {
    const offset = frame.pop()
    const size = frame.pop()
    frame.expand(offset, size)
    frame.charge(6n * wordsIn(size))
    frame.push(bytesToBigInt(keccak256(frame.read(offset, size))))
  }),
]

function bytesIn(n: bigint): bigint {
  let bytes = 0n
  for (let rest = n; rest > 0n; rest >>= 8n) bytes++
  return bytes
}

/** Square and multiply, from the lowest bit on. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = wrap(result * square)
    square = wrap(square * square)
  }
  return result
}
