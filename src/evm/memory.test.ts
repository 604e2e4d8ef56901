import { describe, expect, test } from 'vitest'
import {
  addressOf,
  assemble,
  block,
  contract,
  mapHost,
  send,
  sender,
  slotOf,
  type TestAccount,
} from '../../test/support/evmWorld.ts'
import { rulesOf } from '../forks/rules.ts'
import { type Address, emptyBytes, keyOf } from '../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../primitives/u256.ts'
import { createEvm } from './createEvm.ts'
import type { Evm } from './evm.ts'
import type { EvmKind } from './evmModule.ts'

/** Bytes that all frames of a transaction may have together. */
const limit = 768n << 20n
const other = addressOf(0xbeefn)
const plenty = 9_000_000_000_000_000n

/** Writes at the byte that its input says, then marks that it went well. */
const touching = '1 0 CALLDATALOAD MSTORE8 1 0 SSTORE'

type World = readonly (readonly [Address, TestAccount])[]

/** Runs a transaction in a block of its own; returns what a chain sees of it. */
function transact(evm: Evm, world: World, data: Uint8Array = emptyBytes) {
  evm.reset(mapHost(new Map(world.map(([address, account]) => [keyOf(address), account]))))
  evm.setBlock(block, rulesOf('london'))
  evm.beginTx({ origin: sender, gasPrice: 10n, blobHashes: [] })
  const { status, gasLeft, output } = send(evm, { gas: plenty, data })
  const slot = bytesToBigInt(evm.storage(contract, slotOf(0n)))
  evm.endTx()
  return { status, gasLeft, output, slot }
}

const codeOf = (source: string): World => [[contract, { code: assemble(source) }]]

describe.each<EvmKind>(['fast', 'exact'])('memory of the %s EVM', (kind) => {
  const write = (evm: Evm, bytes: bigint) => transact(evm, codeOf(touching), toWord(bytes - 1n))

  test('ends for a frame at the same byte, whatever the instance ran before', () => {
    const used = createEvm(kind)
    // Sizes that leave gaps where memory is given out in blocks.
    for (const bytes of [100n << 20n, 30n << 20n, 260n << 20n]) expect(write(used, bytes).status).toBe('success')
    for (const bytes of [limit, limit + 1n, 2_050_000_000n, 1n << 31n]) {
      const fresh = write(createEvm(kind), bytes)
      expect(fresh.status).toBe(bytes > limit ? 'halt' : 'success')
      expect(write(used, bytes)).toEqual(fresh)
    }
  })

  test('is limited for all frames together, and free again when a frame ends', () => {
    const inner: TestAccount = { code: assemble(`0 0 CALLDATALOAD MSTORE8 0 0 RETURN`) }
    /** Has 500 MiB of its own while another frame, twice, has what the input says; stores how often that went well. */
    const outer = (times: number) =>
      `32 0 0 CALLDATACOPY 1 ${(500 << 20) - 1} MSTORE8
       ${'0 0 32 0 0 48879 GAS CALL '.repeat(times)} ${'ADD '.repeat(times - 1)} 0 SSTORE`
    const evm = createEvm(kind)
    const run = (bytes: bigint) =>
      transact(
        evm,
        [
          [contract, { code: assemble(outer(2)) }],
          [other, inner],
        ],
        toWord(bytes - 1n),
      ).slot
    expect(run(268n << 20n)).toBe(2n)
    expect(run((268n << 20n) + 1n)).toBe(0n)
  })

  test('is zero, where other frames wrote before too', () => {
    const bytes = 40n << 20n
    /** Fills 40 MiB with its own code, at most; returns the last word of what it finds. */
    const filling = codeOf(`1 ${bytes - 32n} MSTORE 32 ${bytes - 32n} RETURN`)
    const reading = codeOf(`${bytes - 32n} MLOAD POP 32 ${bytes - 64n} RETURN`)
    const evm = createEvm(kind)
    expect(transact(evm, filling).output).toEqual(toWord(1n))
    expect(transact(evm, reading).output).toEqual(new Uint8Array(32))
    expect(transact(evm, codeOf(`${bytes - 32n} MLOAD POP 32 ${bytes - 32n} RETURN`)).output).toEqual(
      new Uint8Array(32),
    )
  })

  test('stays what it was while frames above grow beyond the place for small memories', () => {
    const inner: TestAccount = { code: assemble(`7 ${20 << 20} MSTORE 32 ${20 << 20} RETURN`) }
    const source = `3 ${1 << 20} MSTORE 32 0 0 0 0 48879 GAS CALL POP
      5 ${30 << 20} MSTORE 0 MLOAD ${1 << 20} MLOAD ${30 << 20} MLOAD ADD ADD 0 MSTORE 32 0 RETURN`
    expect(bytesToBigInt(transact(createEvm(kind), [...codeOf(source), [other, inner]]).output)).toBe(15n)
  })

  test('much return data is kept whole', () => {
    const inner: TestAccount = { code: assemble(`9 ${(40 << 20) - 32} MSTORE ${40 << 20} 0 RETURN`) }
    const source = `0 0 0 0 0 48879 GAS CALL POP 32 ${(40 << 20) - 32} 0 RETURNDATACOPY RETURNDATASIZE 32 MSTORE 64 0 RETURN`
    const { output } = transact(createEvm(kind), [...codeOf(source), [other, inner]])
    expect([bytesToBigInt(output.subarray(0, 32)), bytesToBigInt(output.subarray(32))]).toEqual([9n, 40n << 20n])
  })
})

describe.each<EvmKind>(['fast', 'exact'])('what the %s EVM notes of a transaction', (kind) => {
  /** Runs `body`, which has the counter on top of the stack and leaves it there, `count` times. */
  const loop = (count: number, body: string) => `${count} loop: ${body} 1 SWAP1 SUB DUP1 @loop JUMPI POP`

  test('is undone over several megabytes of it, by a frame and by the transaction', () => {
    // Some 5 MB of undo entries: of a frame that fails after one that succeeded, and of both.
    const storing = loop(30_000, 'DUP1 1 SSTORE DUP1 2 SSTORE')
    const failing: TestAccount = { code: assemble(`${storing} 0 0 REVERT`), storage: { 1: 11n } }
    const source = `${storing} 0 0 0 0 0 48879 GAS CALL 1 SLOAD 10 MUL ADD 0 MSTORE 0 0 0 0 48879 GAS DELEGATECALL POP
      1 SLOAD 0 MLOAD ADD 0 SSTORE`
    const evm = createEvm(kind)
    const world: World = [
      [contract, { code: assemble(source), storage: { 1: 4n } }],
      [other, failing],
    ]
    expect(transact(evm, world).slot).toBe(11n)
    expect(bytesToBigInt(evm.storage(contract, slotOf(1n)))).toBe(1n)
    expect(bytesToBigInt(evm.storage(other, slotOf(1n)))).toBe(11n)
    expect(
      transact(evm, [
        [contract, { code: assemble(`${source} 0 0 REVERT`), storage: { 1: 4n } }],
        [other, failing],
      ]).slot,
    ).toBe(0n)
    expect(bytesToBigInt(evm.storage(contract, slotOf(1n)))).toBe(4n)
  })
})

test('every transaction finds everything cold, also after those that 32 bits can number', () => {
  const evm = createEvm('fast')
  const world = codeOf('GAS 0 SLOAD POP GAS SWAP1 SUB 0 MSTORE 32 0 RETURN')
  evm.reset(mapHost(new Map(world.map(([address, account]) => [keyOf(address), account]))))
  evm.setBlock(block, rulesOf('london'))
  const seen = new Set<bigint>()
  for (let i = 0; i < 600; i++) {
    evm.beginTx({ origin: sender, gasPrice: 10n, blobHashes: [] })
    seen.add(bytesToBigInt(send(evm).output))
    evm.endTx()
  }
  expect([...seen]).toEqual([2100n + 7n])
})
