import { fromHex } from '../../src/primitives/hex.ts'

const code = (...parts: readonly string[]) => fromHex(parts.join('').replaceAll(' ', ''))

/** Calls a precompile with the first 64 KB of memory, again and again. */
const asking = (precompile: string) => code('5b 6000 6000 61ffff 6000 60', precompile, ' 5a fa 50 600056')

/** Runtime code that spends all that it is given, or answers as nobody expects. */
export const hostileCode = {
  loop: code('5b 600056'),
  'hashes of much memory': code('5b 61ffff 6000 20 50 600056'),
  'memory that grows': code('6020 5b 80 51 50 80 01 600256'),
  'reads of new slots': code('6000 5b 80 54 50 6001 01 600256'),
  'looks at new accounts': code('6000 5b 80 31 50 6001 01 600256'),
  'copies of unknown code': code('6000 5b 61ffff 6000 6000 83 3c 6001 01 600256'),
  'writes of new slots': code('6000 5b 80 80 55 6001 01 600256'),
  logs: code('5b 61ffff 6000 a0 600056'),
  'copies by the identity precompile': asking('04'),
  'hashes by the SHA-256 precompile': asking('02'),
  'modular exponentiations': code('6001600052 6001602052 6001604052 5b 6001 6000 61ffff 6000 6005 5a fa 50 600f56'),
  'multiplications on a curve': code(
    '6001600052 6002602052 7f',
    'ff'.repeat(32),
    '604052 5b 6040 6080 6060 6000 6007 5a fa 50 602f56',
  ),
  'calls of itself in depth': code('5b 6000 6000 6000 6000 30 5a fa 50 600056'),
  'new contracts': code('5b 6000 6000 6000 f0 50 600056'),
  'a huge answer': code('620fffff 6000 f3'),
  'a huge reason to revert': code('620fffff 6000 fd'),
  'an empty answer': code('00'),
  'a word that is neither': code('6002 6000 52 6020 6000 f3'),
  'half a word': code('6010 6000 f3'),
  'an invalid opcode': code('fe'),
  'an empty stack': code('50'),
  'its own end': code('30 ff'),
  'another answer in every other block': code('6001 43 16 6000 52 6020 6000 f3'),
} as const satisfies Record<string, Uint8Array>

/** Returns 1, as who allows everything. */
export const allowing = code('6001 6000 52 6020 6000 f3')

/** Init code whose contract has this code. */
export function initCodeOf(runtime: Uint8Array): Uint8Array {
  const length = runtime.length.toString(16).padStart(4, '0')
  return new Uint8Array([...code('61', length, ' 600e 6000 39 61', length, ' 6000 f3'), ...runtime])
}
