import type { Rules } from '../forks/rules.ts'
import { type ForkName, forks } from '../forks/table.ts'
import { type OpcodeName, opcodes } from './opcodes.ts'

/** An opcode in a fork: its constant gas cost and the number of stack words that it takes and leaves. */
export interface Op {
  readonly code: number
  readonly name: OpcodeName
  readonly gas: number
  readonly in: number
  readonly out: number
}

/** 256 entries; undefined for a byte that is not an opcode in the fork. */
export type OpTable = readonly (Op | undefined)[]

type Row = readonly [name: OpcodeName, gas: number, taken: number, left: number]

/** New opcodes of a fork, and new gas costs of old ones. */
interface Delta {
  readonly brings?: readonly Row[]
  readonly prices?: Readonly<Partial<Record<OpcodeName, number>>>
}

const frontier: readonly Row[] = [
  ['STOP', 0, 0, 0],
  ['ADD', 3, 2, 1],
  ['MUL', 5, 2, 1],
  ['SUB', 3, 2, 1],
  ['DIV', 5, 2, 1],
  ['SDIV', 5, 2, 1],
  ['MOD', 5, 2, 1],
  ['SMOD', 5, 2, 1],
  ['ADDMOD', 8, 3, 1],
  ['MULMOD', 8, 3, 1],
  ['EXP', 10, 2, 1],
  ['SIGNEXTEND', 5, 2, 1],
  ['LT', 3, 2, 1],
  ['GT', 3, 2, 1],
  ['SLT', 3, 2, 1],
  ['SGT', 3, 2, 1],
  ['EQ', 3, 2, 1],
  ['ISZERO', 3, 1, 1],
  ['AND', 3, 2, 1],
  ['OR', 3, 2, 1],
  ['XOR', 3, 2, 1],
  ['NOT', 3, 1, 1],
  ['BYTE', 3, 2, 1],
  ['KECCAK256', 30, 2, 1],
  ['ADDRESS', 2, 0, 1],
  ['BALANCE', 20, 1, 1],
  ['ORIGIN', 2, 0, 1],
  ['CALLER', 2, 0, 1],
  ['CALLVALUE', 2, 0, 1],
  ['CALLDATALOAD', 3, 1, 1],
  ['CALLDATASIZE', 2, 0, 1],
  ['CALLDATACOPY', 3, 3, 0],
  ['CODESIZE', 2, 0, 1],
  ['CODECOPY', 3, 3, 0],
  ['GASPRICE', 2, 0, 1],
  ['EXTCODESIZE', 20, 1, 1],
  ['EXTCODECOPY', 20, 4, 0],
  ['BLOCKHASH', 20, 1, 1],
  ['COINBASE', 2, 0, 1],
  ['TIMESTAMP', 2, 0, 1],
  ['NUMBER', 2, 0, 1],
  ['DIFFICULTY', 2, 0, 1],
  ['GASLIMIT', 2, 0, 1],
  ['POP', 2, 1, 0],
  ['MLOAD', 3, 1, 1],
  ['MSTORE', 3, 2, 0],
  ['MSTORE8', 3, 2, 0],
  ['SLOAD', 50, 1, 1],
  ['SSTORE', 0, 2, 0],
  ['JUMP', 8, 1, 0],
  ['JUMPI', 10, 2, 0],
  ['PC', 2, 0, 1],
  ['MSIZE', 2, 0, 1],
  ['GAS', 2, 0, 1],
  ['JUMPDEST', 1, 0, 0],
  ...numbered('PUSH', 1, 32, () => [3, 0, 1]),
  ...numbered('DUP', 1, 16, (n) => [3, n, n + 1]),
  ...numbered('SWAP', 1, 16, (n) => [3, n + 1, n + 1]),
  ...numbered('LOG', 0, 4, (n) => [375 * (n + 1), n + 2, 0]),
  ['CREATE', 32_000, 3, 1],
  ['CALL', 40, 7, 1],
  ['CALLCODE', 40, 7, 1],
  ['RETURN', 0, 2, 0],
  ['SELFDESTRUCT', 0, 1, 0],
]

const deltas: Partial<Record<ForkName, Delta>> = {
  homestead: { brings: [['DELEGATECALL', 40, 6, 1]] },
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
      ['RETURNDATASIZE', 2, 0, 1],
      ['RETURNDATACOPY', 3, 3, 0],
      ['STATICCALL', 700, 6, 1],
      ['REVERT', 0, 2, 0],
    ],
  },
  constantinople: {
    brings: [
      ['SHL', 3, 2, 1],
      ['SHR', 3, 2, 1],
      ['SAR', 3, 2, 1],
      ['EXTCODEHASH', 400, 1, 1],
      ['CREATE2', 32_000, 4, 1],
    ],
  },
  istanbul: {
    brings: [
      ['CHAINID', 2, 0, 1],
      ['SELFBALANCE', 5, 0, 1],
    ],
    prices: { BALANCE: 700, EXTCODEHASH: 700, SLOAD: 800 },
  },
  // Gas of a warm access; the surcharge of a cold one is in gasSchedule.ts.
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
  london: { brings: [['BASEFEE', 2, 0, 1]] },
  paris: { brings: [['PREVRANDAO', 2, 0, 1]] },
  shanghai: { brings: [['PUSH0', 2, 0, 1]] },
  cancun: {
    brings: [
      ['BLOBHASH', 3, 1, 1],
      ['BLOBBASEFEE', 2, 0, 1],
      ['TLOAD', 100, 1, 1],
      ['TSTORE', 100, 2, 0],
      ['MCOPY', 3, 3, 0],
    ],
  },
  osaka: { brings: [['CLZ', 5, 1, 1]] },
}

/** The rows of a family of opcodes whose names end in consecutive numbers. */
function numbered(
  family: 'PUSH' | 'DUP' | 'SWAP' | 'LOG',
  first: number,
  last: number,
  shape: (n: number) => readonly [gas: number, taken: number, left: number],
): Row[] {
  const rows: Row[] = []
  for (let n = first; n <= last; n++) rows.push([`${family}${n}` as OpcodeName, ...shape(n)])
  return rows
}

function toOp([name, gas, taken, left]: Row): Op {
  return { code: opcodes[name], name, gas, in: taken, out: left }
}

function buildAll(): ReadonlyMap<ForkName, OpTable> {
  const all = new Map<ForkName, OpTable>()
  let table: (Op | undefined)[] = new Array(256).fill(undefined)
  for (const row of frontier) table[opcodes[row[0]]] = toOp(row)
  for (const { name } of forks) {
    const { brings = [], prices = {} } = deltas[name] ?? {}
    table = table.map((op) => (op && prices[op.name] !== undefined ? { ...op, gas: prices[op.name]! } : op))
    for (const row of brings) table[opcodes[row[0]]] = toOp(row)
    all.set(name, Object.freeze(table))
  }
  return all
}

const byFork = buildAll()

/** Returns the opcodes of a fork. */
export function opTableOf(rules: Rules): OpTable {
  return byFork.get(rules.fork)!
}
