import { beforeEach, describe, expect, test } from 'vitest'
import { assemble } from '../../bench/workloads/assemble.ts'
import { createEvm } from '../../src/evm/createEvm.ts'
import type { Evm } from '../../src/evm/evm.ts'
import type { EvmKind } from '../../src/evm/evmModule.ts'
import type { Host } from '../../src/evm/host.ts'
import { opcodes } from '../../src/evm/opcodes.ts'
import { rulesOf } from '../../src/forks/rules.ts'
import { type Address, concatBytes, emptyBytes, zeroHash } from '../../src/primitives/bytes.ts'
import { hexToAddress } from '../../src/primitives/hex.ts'
import { bytesToBigInt, toWord } from '../../src/primitives/u256.ts'
import { block } from '../support/evmWorld.ts'

const nothing: Host = {
  account: () => undefined,
  storage: () => emptyBytes,
  code: () => emptyBytes,
  blockHash: () => undefined,
}
const from = hexToAddress('00000000000000000000000000000000000000aa')
const to = hexToAddress('000000000000000000000000000000000000c0de')
const megabyte = 1 << 20

/** A world with the assembled `code` in it, and a transaction begun. */
function load(evm: Evm, code: string): void {
  evm.reset(nothing)
  evm.setBlock(block, rulesOf('cancun'))
  evm.setCode(to, assemble(code))
  evm.beginTx({ origin: from, gasPrice: 0n, blobHashes: [] })
}

function call(evm: Evm, code: string, gas: bigint) {
  load(evm, code)
  const outcome = evm.call({ from, to, value: 0n, data: emptyBytes, gas })
  evm.endTx()
  return outcome
}

const slot0 = (evm: Evm, address: Address) => bytesToBigInt(evm.storage(address, zeroHash))

/** Does something again and again: after the first time the engine takes no more memory. */
function expectNoGrowth(evm: Evm, action: () => void): void {
  action()
  evm.reset(nothing)
  const before = evm.memoryBytes()
  for (let i = 0; i < 3; i++) action()
  evm.reset(nothing)
  expect(evm.memoryBytes()).toBe(before)
}

describe.each<EvmKind>(['fast', 'exact'])('%s engine', (kind) => {
  let evm: Evm
  beforeEach(() => {
    evm = createEvm(kind)
  })

  describe('1024 frames below the first', () => {
    // Each call of itself is given one more than the last; the frame whose call fails stores what it would have given.
    const recursion = (callItself: string) =>
      `0 CALLDATALOAD 1 ADD DUP1 0 MSTORE ${callItself} @done JUMPI DUP1 0 SSTORE done: STOP`
    const byCall = recursion('0 0 32 0 0 ADDRESS GAS CALL')
    const byDelegateCall = recursion('0 0 32 0 ADDRESS GAS DELEGATECALL')

    test.each([
      ['CALL', byCall],
      ['DELEGATECALL', byDelegateCall],
      ['CALL, each with memory of its own', `32768 MLOAD POP ${byCall}`],
    ])('by %s', (_, code) => {
      expectNoGrowth(evm, () => {
        expect(call(evm, code, 10n ** 15n).status).toBe('success')
        expect(slot0(evm, to)).toBe(1025n)
      })
    })

    test('by CREATE of its own init code', () => {
      const initCode = assemble('CODESIZE 0 0 CODECOPY CODESIZE 0 0 CREATE 0 SSTORE STOP')
      expectNoGrowth(evm, () => {
        load(evm, 'STOP')
        const { status, created } = evm.create({ from, value: 0n, initCode, gas: 10n ** 15n })
        expect(status).toBe('success')
        expect(slot0(evm, created!)).not.toBe(0n)
        evm.endTx()
        // All but the innermost have created another.
        expect(evm.changes().accounts.filter(({ account }) => account?.nonce === 2n)).toHaveLength(1024)
      })
    })
  })

  describe('contracts of 24 KiB', () => {
    const limit = 24_576

    /** Creates a contract of `size` times JUMPDEST. */
    function create(size: number) {
      const copy = (start: number) => assemble(`${size} ${start} 0 CODECOPY ${size} 0 RETURN`)
      const initCode = concatBytes(copy(copy(0xff).length), new Uint8Array(size).fill(opcodes.JUMPDEST))
      load(evm, 'STOP')
      return evm.create({ from, value: 0n, initCode, gas: 30_000_000n })
    }

    test('are created and run to their end', () => {
      const { status, created, output } = create(limit)
      expect([status, output.length]).toEqual(['success', limit])
      const { gasLeft } = evm.call({ from, to: created!, value: 0n, data: emptyBytes, gas: 100_000n })
      expect(gasLeft).toBe(100_000n - BigInt(limit))
    })

    test('and one byte more are refused', () => {
      expect(create(limit + 1)).toMatchObject({ status: 'halt', halt: 'codeTooLarge', gasLeft: 0n })
    })

    test('leave no memory behind', () => {
      expectNoGrowth(evm, () => {
        for (let i = 0; i < 50; i++) expect(create(limit).status).toBe('success')
      })
    })
  })

  describe('memory', () => {
    /** Most words that 30 M gas buy. */
    const maxWords = 123_169
    const costOf = (words: number) => 3n * BigInt(words) + BigInt(words) ** 2n / 512n
    const touch = (words: number) => `${32 * (words - 1)} MLOAD`

    test('as much as 30 M gas buy', () => {
      // The push and MLOAD itself cost 3 each.
      const left = 30_000_000n - costOf(maxWords) - 6n
      expectNoGrowth(evm, () => expect(call(evm, touch(maxWords), 30_000_000n).gasLeft).toBe(left))
      expect(call(evm, touch(maxWords + 1), 30_000_000n)).toMatchObject({ status: 'halt', halt: 'outOfGas' })
    })

    test('in frame upon frame', () => {
      const code = `${megabyte} MLOAD POP 0 0 0 0 0 ADDRESS GAS CALL`
      expectNoGrowth(evm, () => expect(call(evm, code, 30_000_000n).status).toBe('success'))
      expect(evm.memoryBytes()).toBeLessThan(64 * megabyte)
    })

    test('is zero again for the next frame', () => {
      expect(call(evm, '1 100000 MSTORE', 30_000_000n).status).toBe('success')
      expect(call(evm, '32 100000 RETURN', 30_000_000n).output).toEqual(new Uint8Array(32))
    })

    test('of an extraordinary call is given back', () => {
      expect(call(evm, touch((400 * megabyte) / 32), 10n ** 12n).status).toBe('success')
      expect(evm.memoryBytes()).toBeGreaterThan(400 * megabyte)
      evm.reset(nothing)
      expect(evm.memoryBytes()).toBeLessThan(32 * megabyte)
      expect(call(evm, '42 0 MSTORE 32 0 RETURN', 100_000n).output).toEqual(toWord(42n))
    })

    test.each([2n ** 32n - 1n, 2n ** 64n - 1n, 2n ** 256n - 1n])('at %s is out of reach', (offset) => {
      const outcome = call(evm, `${offset} MLOAD`, 2n ** 63n - 1n)
      expect(outcome).toMatchObject({ status: 'halt', halt: 'outOfGas', gasLeft: 0n })
    })
  })

  describe('100,000 logs', () => {
    const count = 100_000
    /** Emits a counter as topic and as data while it goes down. */
    const loop = `${count} loop: DUP1 0 MSTORE DUP1 32 0 LOG1 1 SWAP1 SUB DUP1 @loop JUMPI`

    test('are kept in order', () => {
      expectNoGrowth(evm, () => {
        expect(call(evm, loop, 10n ** 9n).status).toBe('success')
        const logs = evm.logs()
        expect(logs.length).toBe(count)
        expect(logs[0]).toEqual({ address: to, topics: [toWord(BigInt(count))], data: toWord(BigInt(count)) })
        expect(logs.at(-1)).toEqual({ address: to, topics: [toWord(1n)], data: toWord(1n) })
      })
    })

    test('are gone when the call reverts', () => {
      expect(call(evm, `${loop} 0 0 REVERT`, 10n ** 9n).status).toBe('revert')
      expect(evm.logs()).toEqual([])
    })
  })
})
