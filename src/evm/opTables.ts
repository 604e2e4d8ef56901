import type { Rules } from '../forks/rules.ts'
import { type ForkName, forks } from '../forks/table.ts'

/** An opcode of a fork: its price without the parts that depend on operands, and the words it takes and leaves. */
export interface Op {
  readonly code: number
  readonly name: string
  readonly gas: number
  readonly in: number
  readonly out: number
}

/** 256 entries; undefined where the fork knows no opcode. */
export type OpTable = readonly (Op | undefined)[]

type Row = readonly [code: number, name: string, gas: number, taken: number, left: number]

/** Opcodes that a fork brought, and new prices of old ones. */
interface Delta {
  readonly brings?: readonly Row[]
  readonly prices?: Readonly<Record<string, number>>
}

const frontier: readonly Row[] = [
  [0x00, 'STOP', 0, 0, 0],
  [0x01, 'ADD', 3, 2, 1],
  [0x02, 'MUL', 5, 2, 1],
  [0x03, 'SUB', 3, 2, 1],
  [0x04, 'DIV', 5, 2, 1],
  [0x05, 'SDIV', 5, 2, 1],
  [0x06, 'MOD', 5, 2, 1],
  [0x07, 'SMOD', 5, 2, 1],
  [0x08, 'ADDMOD', 8, 3, 1],
  [0x09, 'MULMOD', 8, 3, 1],
  [0x0a, 'EXP', 10, 2, 1],
  [0x0b, 'SIGNEXTEND', 5, 2, 1],
  [0x10, 'LT', 3, 2, 1],
  [0x11, 'GT', 3, 2, 1],
  [0x12, 'SLT', 3, 2, 1],
  [0x13, 'SGT', 3, 2, 1],
  [0x14, 'EQ', 3, 2, 1],
  [0x15, 'ISZERO', 3, 1, 1],
  [0x16, 'AND', 3, 2, 1],
  [0x17, 'OR', 3, 2, 1],
  [0x18, 'XOR', 3, 2, 1],
  [0x19, 'NOT', 3, 1, 1],
  [0x1a, 'BYTE', 3, 2, 1],
  [0x20, 'SHA3', 30, 2, 1],
  [0x30, 'ADDRESS', 2, 0, 1],
  [0x31, 'BALANCE', 20, 1, 1],
  [0x32, 'ORIGIN', 2, 0, 1],
  [0x33, 'CALLER', 2, 0, 1],
  [0x34, 'CALLVALUE', 2, 0, 1],
  [0x35, 'CALLDATALOAD', 3, 1, 1],
  [0x36, 'CALLDATASIZE', 2, 0, 1],
  [0x37, 'CALLDATACOPY', 3, 3, 0],
  [0x38, 'CODESIZE', 2, 0, 1],
  [0x39, 'CODECOPY', 3, 3, 0],
  [0x3a, 'GASPRICE', 2, 0, 1],
  [0x3b, 'EXTCODESIZE', 20, 1, 1],
  [0x3c, 'EXTCODECOPY', 20, 4, 0],
  [0x40, 'BLOCKHASH', 20, 1, 1],
  [0x41, 'COINBASE', 2, 0, 1],
  [0x42, 'TIMESTAMP', 2, 0, 1],
  [0x43, 'NUMBER', 2, 0, 1],
  [0x44, 'DIFFICULTY', 2, 0, 1],
  [0x45, 'GASLIMIT', 2, 0, 1],
  [0x50, 'POP', 2, 1, 0],
  [0x51, 'MLOAD', 3, 1, 1],
  [0x52, 'MSTORE', 3, 2, 0],
  [0x53, 'MSTORE8', 3, 2, 0],
  [0x54, 'SLOAD', 50, 1, 1],
  [0x55, 'SSTORE', 0, 2, 0],
  [0x56, 'JUMP', 8, 1, 0],
  [0x57, 'JUMPI', 10, 2, 0],
  [0x58, 'PC', 2, 0, 1],
  [0x59, 'MSIZE', 2, 0, 1],
  [0x5a, 'GAS', 2, 0, 1],
  [0x5b, 'JUMPDEST', 1, 0, 0],
  ...numbered(0x60, 'PUSH', 1, 32, () => [3, 0, 1]),
  ...numbered(0x80, 'DUP', 1, 16, (n) => [3, n, n + 1]),
  ...numbered(0x90, 'SWAP', 1, 16, (n) => [3, n + 1, n + 1]),
  ...numbered(0xa0, 'LOG', 0, 4, (n) => [375 * (n + 1), n + 2, 0]),
  [0xf0, 'CREATE', 32_000, 3, 1],
  [0xf1, 'CALL', 40, 7, 1],
  [0xf2, 'CALLCODE', 40, 7, 1],
  [0xf3, 'RETURN', 0, 2, 0],
  [0xff, 'SELFDESTRUCT', 0, 1, 0],
]

const deltas: Partial<Record<ForkName, Delta>> = {
  homestead: { brings: [[0xf4, 'DELEGATECALL', 40, 6, 1]] },
  tangerineWhistle: {
    prices: {
      BALANCE: 400,
      EXTCODESIZE: 700,
      EXTCODECOPY: 700,
      SLOAD: 200,
      CALL: 700,
      CALLCODE: 700,
      DELEGATECALL: 700,
      SELFDESTRUCT: 5000,
    },
  },
  byzantium: {
    brings: [
      [0x3d, 'RETURNDATASIZE', 2, 0, 1],
      [0x3e, 'RETURNDATACOPY', 3, 3, 0],
      [0xfa, 'STATICCALL', 700, 6, 1],
      [0xfd, 'REVERT', 0, 2, 0],
    ],
  },
  constantinople: {
    brings: [
      [0x1b, 'SHL', 3, 2, 1],
      [0x1c, 'SHR', 3, 2, 1],
      [0x1d, 'SAR', 3, 2, 1],
      [0x3f, 'EXTCODEHASH', 400, 1, 1],
      [0xf5, 'CREATE2', 32_000, 4, 1],
    ],
  },
  istanbul: {
    brings: [
      [0x46, 'CHAINID', 2, 0, 1],
      [0x47, 'SELFBALANCE', 5, 0, 1],
    ],
    prices: { BALANCE: 700, EXTCODEHASH: 700, SLOAD: 800 },
  },
  // The price of a warm access; the engine adds what a first touch costs.
  berlin: {
    prices: {
      BALANCE: 100,
      EXTCODESIZE: 100,
      EXTCODECOPY: 100,
      EXTCODEHASH: 100,
      SLOAD: 100,
      CALL: 100,
      CALLCODE: 100,
      DELEGATECALL: 100,
      STATICCALL: 100,
    },
  },
  london: { brings: [[0x48, 'BASEFEE', 2, 0, 1]] },
  paris: { brings: [[0x44, 'PREVRANDAO', 2, 0, 1]] },
  shanghai: { brings: [[0x5f, 'PUSH0', 2, 0, 1]] },
  cancun: {
    brings: [
      [0x49, 'BLOBHASH', 3, 1, 1],
      [0x4a, 'BLOBBASEFEE', 2, 0, 1],
      [0x5c, 'TLOAD', 100, 1, 1],
      [0x5d, 'TSTORE', 100, 2, 0],
      [0x5e, 'MCOPY', 3, 3, 0],
    ],
  },
  osaka: { brings: [[0x1e, 'CLZ', 5, 1, 1]] },
}

function numbered(
  code: number,
  name: string,
  first: number,
  last: number,
  shape: (n: number) => readonly [number, number, number],
): Row[] {
  const rows: Row[] = []
  for (let n = first; n <= last; n++) rows.push([code + n - first, `${name}${n}`, ...shape(n)])
  return rows
}

function toOp([code, name, gas, taken, left]: Row): Op {
  return { code, name, gas, in: taken, out: left }
}

function buildAll(): ReadonlyMap<ForkName, OpTable> {
  const all = new Map<ForkName, OpTable>()
  let table: (Op | undefined)[] = new Array(256).fill(undefined)
  for (const row of frontier) table[row[0]] = toOp(row)
  for (const { name } of forks) {
    const { brings = [], prices = {} } = deltas[name] ?? {}
    table = table.map((op) => (op && prices[op.name] !== undefined ? { ...op, gas: prices[op.name]! } : op))
    for (const row of brings) table[row[0]] = toOp(row)
    all.set(name, Object.freeze(table))
  }
  return all
}

const byFork = buildAll()

/** The opcodes of a fork. */
export function opTableOf(rules: Rules): OpTable {
  return byFork.get(rules.fork)!
}
