import {
  type Abi,
  encodeAbiParameters,
  encodeErrorResult,
  type Hex,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { assemble, creationOf, type Item } from './assemble.ts'

/** Texts of a token whose author means harm: scripts, and marks that turn the direction of writing. */
export const hostile = {
  name: '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
  symbol: '\u202eLIVE<b>',
  revert: '<script>window.hacked=1</script>\u202e and so on',
} as const

/** Its functions, as a user pastes them. */
export const tokenLines = [
  'function set(uint256 value)',
  'function get() view returns (uint256)',
  'function huge() view returns (string)',
  'function fail()',
  'function nest()',
  'function transfer(address to, uint256 value) returns (bool)',
].join('\n')

export const tokenAbi: Abi = parseAbi(tokenLines.split('\n') as readonly string[] as [string])

const selector = (signature: string) => toFunctionSelector(`function ${signature}`).slice(2)
const textOf = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]).slice(2)
const revertData = encodeErrorResult({
  abi: parseAbi(['error Error(string reason)']),
  errorName: 'Error',
  args: [hostile.revert],
}).slice(2)

const functions = {
  'name()': 'name',
  'symbol()': 'symbol',
  'decimals()': 'decimals',
  'transfer(address,uint256)': 'transfer',
  'set(uint256)': 'set',
  'get()': 'get',
  'huge()': 'huge',
  'fail()': 'fail',
  'nest()': 'nest',
} as const

const size = (hex: string) => (hex.length / 2).toString(16).padStart(4, '0')
const at = (label: string): readonly Item[] => [{ label }, 'JUMPDEST']
const answer = (label: string, data: string, end: 'RETURN' | 'REVERT'): readonly Item[] => [
  ...at(label),
  ...([{ push: size(data) }, { to: `${label}Data` }, { push: '00' }, 'CODECOPY'] as const),
  ...([{ push: size(data) }, { push: '00' }, end, { label: `${label}Data` }, { data }] as const),
]
const answerWord: readonly Item[] = [{ push: '00' }, 'MSTORE', { push: '20' }, { push: '00' }, 'RETURN']
/** Calls the contract itself with a selector, and drops the outcome. */
const callSelf = (signature: string): readonly Item[] => [
  ...([{ push: selector(signature) }, { push: 'e0' }, 'SHL', { push: '00' }, 'MSTORE'] as const),
  ...([{ push: '00' }, { push: '00' }, { push: '44' }, { push: '00' }, { push: '00' }] as const),
  ...(['ADDRESS', 'GAS', 'CALL', 'POP'] as const),
]
/** Doubles a word in memory until there is a mebibyte of it. */
const fill: readonly Item[] = Array.from({ length: 15 }, (_, i): readonly Item[] => {
  const length = (32 * 2 ** i).toString(16).padStart(6, '0')
  const to = (0x40 + 32 * 2 ** i).toString(16).padStart(6, '0')
  return [{ push: length }, { push: '40' }, { push: to }, 'MCOPY']
}).flat()

const code = assemble([
  ...([{ push: '00' }, 'CALLDATALOAD', { push: 'e0' }, 'SHR'] as const),
  ...Object.entries(functions).flatMap(([signature, label]): readonly Item[] => [
    ...(['DUP1', { push: selector(signature) }, 'EQ', { to: label }, 'JUMPI'] as const),
  ]),
  ...([{ push: '00' }, { push: '00' }, 'REVERT'] as const),
  ...at('decimals'),
  { push: '02' },
  ...answerWord,
  ...at('set'),
  ...([{ push: '04' }, 'CALLDATALOAD', { push: '00' }, 'SSTORE', 'STOP'] as const),
  ...at('get'),
  ...([{ push: '00' }, 'SLOAD'] as const),
  ...answerWord,
  ...at('transfer'),
  ...([{ push: '24' }, 'CALLDATALOAD', { push: '00' }, 'MSTORE', { push: '04' }, 'CALLDATALOAD', 'CALLER'] as const),
  { push: toEventSelector('event Transfer(address indexed, address indexed, uint256)').slice(2) },
  ...([{ push: '20' }, { push: '00' }, 'LOG3', { push: '01' }] as const),
  ...answerWord,
  ...at('nest'),
  ...callSelf('transfer(address,uint256)'),
  ...callSelf('fail()'),
  'STOP',
  ...at('huge'),
  ...([{ push: '20' }, { push: '00' }, 'MSTORE', { push: '100000' }, { push: '20' }, 'MSTORE'] as const),
  ...([{ push: '41'.repeat(32) }, { push: '40' }, 'MSTORE'] as const),
  ...fill,
  ...([{ push: '100040' }, { push: '00' }, 'RETURN'] as const),
  ...answer('name', textOf(hostile.name), 'RETURN'),
  ...answer('symbol', textOf(hostile.symbol), 'RETURN'),
  ...answer('fail', revertData, 'REVERT'),
])

/** Creates the token. */
export const tokenCreation: Hex = creationOf(code)
