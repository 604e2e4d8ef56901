import { format } from 'node:util'
import type { Tracer } from '../evm/tracer.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { hexToAddress, toHex } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { bytesToBigInt } from '../primitives/u256.ts'

/** The account that Solidity's console libraries call; it has no code. */
export const consoleAddress = hexToAddress('000000000000000000636f6e736f6c652e6c6f67')

/** Types whose combinations, up to four, the libraries have. Old versions hashed `uint` instead of `uint256`. */
const combined = ['uint256', 'uint', 'string', 'bool', 'address'] as const
const singles = ['int256', 'int', 'bytes', ...Array.from({ length: 32 }, (_, i) => `bytes${i + 1}`)]
const maxArguments = 4

let known: ReadonlyMap<string, readonly string[]> | undefined

/** The types of the arguments by the first four bytes of a call. */
function signatures(): ReadonlyMap<string, readonly string[]> {
  if (known) return known
  let lists: readonly (readonly string[])[] = [[]]
  const all = [[], ...singles.map((type) => [type])] as (readonly string[])[]
  for (let count = 1; count <= maxArguments; count++) {
    lists = lists.flatMap((list) => combined.map((type) => [...list, type]))
    all.push(...lists)
  }
  known = new Map(all.map((types) => [selectorOf(types), types]))
  return known
}

function selectorOf(types: readonly string[]): string {
  return toHex(keccak256(new TextEncoder().encode(`log(${types.join()})`)).subarray(0, 4))
}

/** A value of a type, as it is shown; undefined if the data ends before it. */
function valueAt(data: Uint8Array, index: number, type: string): string | undefined {
  const word = data.subarray(32 * index, 32 * index + 32)
  if (word.length < 32) return undefined
  if (type === 'string' || type === 'bytes') {
    const at = bytesToBigInt(word)
    const length = bytesToBigInt(data.subarray(Number(at), Number(at) + 32))
    if (at + 32n + length > BigInt(data.length)) return undefined
    const bytes = data.subarray(Number(at) + 32, Number(at + length) + 32)
    return type === 'bytes' ? toHex(bytes) : new TextDecoder().decode(bytes)
  }
  if (type === 'bool') return String(word[31] !== 0)
  if (type === 'address') return toHex(word.subarray(12))
  if (type.startsWith('bytes')) return toHex(word.subarray(0, Number(type.slice(5))))
  const number = bytesToBigInt(word)
  return String(type.startsWith('int') ? BigInt.asIntN(256, number) : number)
}

/** The text of a call to the console; undefined if it is not one that the libraries make. */
export function consoleTextOf(input: Uint8Array): string | undefined {
  const types = signatures().get(toHex(input.subarray(0, 4)))
  const values = types?.map((type, i) => valueAt(input.subarray(4), i, type))
  if (!values || values.includes(undefined)) return undefined
  const [first = '', ...rest] = values as string[]
  // Numbers are text here, of any size: %d shows them as they are.
  return types![0] === 'string' ? format(first.replace(/%[di]/g, '%s'), ...rest) : values.join(' ')
}

/** Hears calls to the console and writes their texts; no other frame or step costs more than a comparison. */
export function createConsoleTracer(write: (text: string) => void): Tracer {
  return {
    watches: [],
    onEnter({ to, input }) {
      const text = equalBytes(to, consoleAddress) ? consoleTextOf(input) : undefined
      if (text !== undefined) write(text)
    },
  }
}
