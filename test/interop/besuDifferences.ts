import { opcodes } from '../../src/evm/opcodes.ts'

/** A place where two answers differ; undefined stands for nothing there. */
export interface Difference {
  readonly path: readonly string[]
  readonly have: unknown
  readonly want: unknown
}

/** Two answers to one question, whole. */
interface Answers {
  readonly method: string
  readonly have: unknown
  readonly want: unknown
}

/** A difference from Besu 24.1.2 that is meant. */
export interface Deliberate {
  readonly reason: string
  covers(difference: Difference, answers: Answers): boolean
}

const zeroAddress = `0x${'00'.repeat(20)}`

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** All places where two JSON values differ; the order of members does not count. */
export function* differences(have: unknown, want: unknown, path: readonly string[] = []): Generator<Difference> {
  if (have === want) return
  if (!isObject(have) || !isObject(want) || Array.isArray(have) !== Array.isArray(want)) {
    yield { path, have, want }
    return
  }
  for (const key of new Set([...Object.keys(want), ...Object.keys(have)]))
    yield* differences(have[key], want[key], [...path, key])
}

const sameNumber = (a: unknown, b: unknown) => typeof a === 'string' && typeof b === 'string' && BigInt(a) === BigInt(b)

function at(value: unknown, path: readonly string[]): Record<string, unknown> {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value) as Record<
    string,
    unknown
  >
}

/** The opcode of a vmTrace's operation, which stands two members below the code that it is of. */
function opcodeAt(answer: unknown, operation: readonly string[]): number {
  const { pc } = at(answer, operation) as { pc: number }
  const { code } = at(answer, operation.slice(0, -2)) as { code: string }
  return Number.parseInt(code.slice(2 + 2 * pc, 4 + 2 * pc), 16)
}

/** Bytes that are the words of a library for elliptic curves. */
function isComplaint(value: unknown): boolean {
  return typeof value === 'string' && Buffer.from(value.slice(2), 'hex').toString().startsWith('invalid input')
}

export const deliberate: readonly Deliberate[] = [
  {
    reason: 'a trace that Besu leaves open shows all gas before it, steps that failed included, below zero',
    covers: ({ path, want }) =>
      path.slice(-2).join() === 'result,gasUsed' && typeof want === 'string' && BigInt(want) >> 63n === 1n,
  },
  {
    reason: 'Besu tells what the library behind a precompiled contract said',
    covers: ({ path, have, want }) =>
      /^(output|revertReason)$/.test(path.at(-1)!) && (have ?? '0x') === '0x' && isComplaint(want),
  },
  {
    reason: 'a step that fails is not priced to the end, where Besu prices it before it looks for faults',
    covers({ path }, { want }) {
      const holder = at(want, path.slice(0, -1)) as { error?: unknown; ex?: { used: number } | null; used?: number }
      if (path.at(-1) === 'gasCost') return holder.error !== undefined
      if (path.at(-1) === 'used') return holder.used! < 0
      return path.at(-1) === 'cost' && (holder.ex === null || (holder.ex?.used ?? 0) < 0)
    },
  },
  {
    reason: 'Besu knows no address of an imported chain',
    covers: ({ path, want }, { method }) =>
      method === 'debug_accountRange' && path[0] === 'addressMap' && want === zeroAddress,
  },
  {
    reason: 'Besu knows no slot of an imported chain',
    covers: ({ path, want }, { method }) => method === 'debug_storageRangeAt' && path.at(-1) === 'key' && want === null,
  },
  {
    reason: 'Besu pads the amounts of miner data to 32 bytes',
    covers: ({ have, want }, { method }) => method.startsWith('eth_getMinerData') && sameNumber(have, want),
  },
  {
    reason: 'Besu tells of an account before the transaction has paid for its gas and buried its dead',
    covers: ({ path }, { method, have }) =>
      method === 'debug_accountAt' && (path[0] === 'balance' || (isObject(have) && 'error' in have)),
  },
  {
    reason: 'Besu counts the storage gas of several calls as that of one transaction',
    covers: ({ path }, { method }) =>
      method === 'trace_callMany' && (/^(gasUsed|cost|used)$/.test(path.at(-1)!) || path.at(-3) === 'balance'),
  },
  {
    reason: 'Besu hides the error of one of several calls in a result',
    covers: ({ path }, { method, have }) =>
      method === 'trace_callMany' && path.length === 1 && isObject(have) && 'error' in have,
  },
  {
    reason: 'Besu shows what an MLOAD read as it is when the message has ended',
    covers: ({ path }, { have }) =>
      path.slice(-3).join() === 'ex,mem,data' && opcodeAt(have, path.slice(0, -3)) === opcodes.MLOAD,
  },
]
