import { beforeEach, describe, expect, test } from 'vitest'
import { assemble } from '../bench/workloads/assemble.ts'
import { createEngine, type Engine } from '../src/evm/engine.ts'
import type { EngineKind } from '../src/evm/engineModule.ts'
import type { Host } from '../src/evm/host.ts'
import { rulesOf } from '../src/forks/rules.ts'
import { type Address, concatBytes, emptyBytes, zeroAddress, zeroHash } from '../src/primitives/bytes.ts'
import { hexToAddress } from '../src/primitives/hex.ts'
import { bytesToBigInt, toWord } from '../src/primitives/u256.ts'

const nothing: Host = {
  account: () => undefined,
  storage: () => emptyBytes,
  code: () => emptyBytes,
  blockHash: () => undefined,
}
const block = {
  number: 1n,
  timestamp: 1n,
  beneficiary: zeroAddress,
  gasLimit: 30_000_000n,
  difficulty: 0n,
  prevRandao: zeroHash,
  baseFee: 0n,
  blobBaseFee: 1n,
  chainId: 1n,
}
const from = hexToAddress('00000000000000000000000000000000000000aa')
const to = hexToAddress('000000000000000000000000000000000000c0de')
const megabyte = 1 << 20

/** A world with the assembled `code` in it, and a transaction begun. */
function load(engine: Engine, code: string): void {
  engine.reset(nothing)
  engine.setBlock(block, rulesOf('cancun'))
  engine.setCode(to, assemble(code))
  engine.beginTx({ origin: from, gasPrice: 0n, blobHashes: [] })
}

function call(engine: Engine, code: string, gas: bigint) {
  load(engine, code)
  const outcome = engine.call({ from, to, value: 0n, data: emptyBytes, gas })
  engine.endTx()
  return outcome
}

const slot0 = (engine: Engine, address: Address) => bytesToBigInt(engine.storage(address, zeroHash))

/** Does something again and again: after the first time the engine takes no more memory. */
function expectNoGrowth(engine: Engine, action: () => void): void {
  action()
  engine.reset(nothing)
  const before = engine.memoryBytes()
  for (let i = 0; i < 3; i++) action()
  engine.reset(nothing)
  expect(engine.memoryBytes()).toBe(before)
}

describe.each<EngineKind>(['fast', 'exact'])('%s engine', (kind) => {
  let engine: Engine
  beforeEach(() => {
    engine = createEngine(kind)
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
      expectNoGrowth(engine, () => {
        expect(call(engine, code, 10n ** 15n).status).toBe('success')
        expect(slot0(engine, to)).toBe(1025n)
      })
    })

    test('by CREATE of its own init code', () => {
      const initCode = assemble('CODESIZE 0 0 CODECOPY CODESIZE 0 0 CREATE 0 SSTORE STOP')
      expectNoGrowth(engine, () => {
        load(engine, 'STOP')
        const { status, created } = engine.create({ from, value: 0n, initCode, gas: 10n ** 15n })
        expect(status).toBe('success')
        expect(slot0(engine, created!)).not.toBe(0n)
        engine.endTx()
        // All but the innermost have created another.
        expect(engine.changes().accounts.filter(({ account }) => account?.nonce === 2n)).toHaveLength(1024)
      })
    })
  })

  describe('contracts of 24 KiB', () => {
    const limit = 24_576

    /** Creates a contract of `size` times JUMPDEST. */
    function create(size: number) {
      const copy = (start: number) => assemble(`${size} ${start} 0 CODECOPY ${size} 0 RETURN`)
      const initCode = concatBytes(copy(copy(0xff).length), new Uint8Array(size).fill(0x5b))
      load(engine, 'STOP')
      return engine.create({ from, value: 0n, initCode, gas: 30_000_000n })
    }

    test('are created and run to their end', () => {
      const { status, created, output } = create(limit)
      expect([status, output.length]).toEqual(['success', limit])
      const { gasLeft } = engine.call({ from, to: created!, value: 0n, data: emptyBytes, gas: 100_000n })
      expect(gasLeft).toBe(100_000n - BigInt(limit))
    })

    test('and one byte more are refused', () => {
      expect(create(limit + 1)).toMatchObject({ status: 'halt', halt: 'codeTooLarge', gasLeft: 0n })
    })

    test('leave no memory behind', () => {
      expectNoGrowth(engine, () => {
        for (let i = 0; i < 50; i++) expect(create(limit).status).toBe('success')
      })
    })
  })

  describe('memory', () => {
    /** Most words that 30 M gas buy. */
    const mostWords = 123_169
    const costOf = (words: number) => 3n * BigInt(words) + BigInt(words) ** 2n / 512n
    const touch = (words: number) => `${32 * (words - 1)} MLOAD`

    test('as much as 30 M gas buy', () => {
      // The push and MLOAD itself cost 3 each.
      const left = 30_000_000n - costOf(mostWords) - 6n
      expectNoGrowth(engine, () => expect(call(engine, touch(mostWords), 30_000_000n).gasLeft).toBe(left))
      expect(call(engine, touch(mostWords + 1), 30_000_000n)).toMatchObject({ status: 'halt', halt: 'outOfGas' })
    })

    test('in frame upon frame', () => {
      const code = `${megabyte} MLOAD POP 0 0 0 0 0 ADDRESS GAS CALL`
      expectNoGrowth(engine, () => expect(call(engine, code, 30_000_000n).status).toBe('success'))
      expect(engine.memoryBytes()).toBeLessThan(64 * megabyte)
    })

    test('is zero again for the next frame', () => {
      expect(call(engine, '1 100000 MSTORE', 30_000_000n).status).toBe('success')
      expect(call(engine, '32 100000 RETURN', 30_000_000n).output).toEqual(new Uint8Array(32))
    })

    test('of an extraordinary call is given back', () => {
      expect(call(engine, touch((400 * megabyte) / 32), 10n ** 12n).status).toBe('success')
      expect(engine.memoryBytes()).toBeGreaterThan(400 * megabyte)
      engine.reset(nothing)
      expect(engine.memoryBytes()).toBeLessThan(32 * megabyte)
      expect(call(engine, '42 0 MSTORE 32 0 RETURN', 100_000n).output).toEqual(toWord(42n))
    })

    test.each([2n ** 32n - 1n, 2n ** 64n - 1n, 2n ** 256n - 1n])('at %s is out of reach', (offset) => {
      const outcome = call(engine, `${offset} MLOAD`, 2n ** 63n - 1n)
      expect(outcome).toMatchObject({ status: 'halt', halt: 'outOfGas', gasLeft: 0n })
    })
  })

  describe('100,000 logs', () => {
    const count = 100_000
    /** Emits a counter as topic and as data while it goes down. */
    const loop = `${count} loop: DUP1 0 MSTORE DUP1 32 0 LOG1 1 SWAP1 SUB DUP1 @loop JUMPI`

    test('are kept in order', () => {
      expectNoGrowth(engine, () => {
        expect(call(engine, loop, 10n ** 9n).status).toBe('success')
        const logs = engine.logs()
        expect(logs.length).toBe(count)
        expect(logs[0]).toEqual({ address: to, topics: [toWord(BigInt(count))], data: toWord(BigInt(count)) })
        expect(logs.at(-1)).toEqual({ address: to, topics: [toWord(1n)], data: toWord(1n) })
      })
    })

    test('are gone when the call reverts', () => {
      expect(call(engine, `${loop} 0 0 REVERT`, 10n ** 9n).status).toBe('revert')
      expect(engine.logs()).toEqual([])
    })
  })
})
