import { describe, expect, test } from 'vitest'
import {
  addressOf,
  assemble,
  contract,
  send,
  slotOf,
  startWorld,
  type TestAccount,
} from '../../test/support/evmWorld.ts'
import { sampleOf } from '../../test/support/wholeRun.ts'
import type { ForkName } from '../forks/table.ts'
import { type Address, concatBytes } from '../primitives/bytes.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import type { EvmKind } from './evmModule.ts'

/** Bytes that a transaction may hold beside the memory of its frames. */
const limit = 1536 << 20
const plenty = 9_000_000_000_000_000n

/** Emits a log of as many zeros as its input says, and takes it back. */
const logger = assemble('0 CALLDATALOAD 0 LOG0 0 0 REVERT')
/** A log counts 384 bytes, four times its record, and an undo entry; the call of the logger has another one. */
const logOf = (bytes: number) => 384 + 4 * (28 + bytes) + 16 + 16
const emit = (bytes: number) => `${bytes} 0 MSTORE 0 0 32 0 0 48879 GAS CALL POP`
const large = 32 << 20

/** Code that fills what a transaction may hold, up to `free` bytes and at most 15 more, and then runs `tail`. */
function filling(free: number, tail: string): Uint8Array {
  const times = 11
  const code = (last: number) =>
    assemble(`${times} loop: ${emit(large)} 1 SWAP1 SUB DUP1 @loop JUMPI POP ${emit(last)} ${tail}`)
  // The frame's own code, the first access of the logger and its undo entry count too.
  const own = 10 * code(large).length + 256 + 8
  return code(large + 4 * Math.floor((limit - free - own - (times + 1) * logOf(large)) / 16))
}

const four = (each: (n: number) => string) => [1, 2, 3, 4].map(each).join(' ')
const calling = (address: number) => `0 0 0 0 0 ${address} GAS CALL POP`
/** Creates a contract of 64 zeros, and fails if that fails. */
const deploying = `${bytesToBigInt(assemble('64 0 RETURN'))} 0 MSTORE 5 27 0 CREATE @ok JUMPI INVALID ok:`

/** What is held, how many bytes it is, and code that does it. */
const cases: readonly [string, number, string, ForkName?][] = [
  ['TSTORE', 4 * (96 + 40), four((n) => `1 ${n} TSTORE`)],
  ['SLOAD', 4 * (200 + 8), four((n) => `${n} SLOAD POP`)],
  ['SLOAD before there were warm slots', 4 * 200, four((n) => `${n} SLOAD POP`), 'istanbul'],
  ['SSTORE', 4 * (200 + 8 + 40), four((n) => `1 ${n} SSTORE`)],
  ['BALANCE', 4 * (256 + 8), four((n) => `${n + 5000} BALANCE POP`)],
  ['EXTCODESIZE', 4 * (256 + 8), four((n) => `${n + 5000} EXTCODESIZE POP`)],
  ['EXTCODEHASH', 4 * (256 + 8), four((n) => `${n + 5000} EXTCODEHASH POP`)],
  ['EXTCODECOPY', 4 * (256 + 8), four((n) => `0 0 0 ${n + 5000} EXTCODECOPY`)],
  ['LOG0', 4 * (384 + 4 * (28 + 96) + 16), four(() => '96 0 LOG0')],
  ['CALL', 4 * (256 + 8), four((n) => calling(n + 5000))],
  ['CALL of code', 256 + 8 + 10 * 100, calling(0xdead)],
  ['CREATE', 10 * 64, '64 0 0 CREATE POP'],
  ['contracts that are created', 10 * 5 + 16 + 256 + 8 + 16 + 16 + 10 * 64, deploying],
]

describe.each<EvmKind>(['fast', 'exact'])('what a transaction holds in the %s EVM', (kind) => {
  const callee: TestAccount = { code: concatBytes(assemble('STOP'), new Uint8Array(99)) }
  function run(free: number, tail: string, fork: ForkName) {
    const world: [Address, TestAccount][] = [
      [contract, { code: filling(free, tail), nonce: 1n }],
      [addressOf(0xbeefn), { code: logger }],
      [addressOf(0xdeadn), callee],
    ]
    const evm = startWorld(world, { kind, fork })
    const { status, halt, gasLeft } = send(evm, { gas: plenty })
    return { status, halt, usesAll: gasLeft === 0n, slot: bytesToBigInt(evm.storage(contract, slotOf(1n))) }
  }

  test.each<[string, number, string, ForkName?]>(sampleOf(cases, kind === 'fast' ? 5 : 2))(
    '%s ends where it is too much',
    (_, bytes, tail, fork = 'osaka') => {
      expect(run(bytes, tail, fork)).toMatchObject({ status: 'success', usesAll: false })
      expect(run(bytes - 16, tail, fork)).toMatchObject({ status: 'halt', usesAll: true, slot: 0n })
    },
  )

  test('is counted once for what is accessed again', () => {
    const again = four(() => '5001 BALANCE POP')
    expect(run(256 + 8, again, 'osaka').status).toBe('success')
  })
})
