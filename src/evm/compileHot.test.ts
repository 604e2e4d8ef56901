import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { addressOf, assemble, block, contract, mapHost, send, sender } from '../../test/support/evmWorld.ts'
import { rulesOf } from '../forks/rules.ts'
import type { ForkName } from '../forks/table.ts'
import { keyOf } from '../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../primitives/u256.ts'
import { createEvm, type Evm } from './evm.ts'

/** Counts down from its input, and returns what it has added up. */
const sum = `0 0 CALLDATALOAD
  loop: DUP1 ISZERO @end JUMPI DUP1 SWAP2 ADD SWAP1 1 SWAP1 SUB @loop JUMP
  end: POP 0 MSTORE 32 0 RETURN`
const old = addressOf(0x01dn)
const host = mapHost(
  new Map([
    // Berlin does not have PUSH0.
    [keyOf(contract), { code: assemble(`PUSH0 POP ${sum}`) }],
    [keyOf(old), { code: assemble(sum) }],
  ]),
)

function sumOn(evm: Evm, rounds: bigint, fork: ForkName = 'cancun', to = contract) {
  evm.setBlock(block, rulesOf(fork))
  evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
  const { output, gasLeft, status } = send(evm, { to, data: toWord(rounds) })
  evm.endTx()
  return { sum: bytesToBigInt(output), gasLeft, status }
}

async function untilCompiled(evm: Evm): Promise<void> {
  while (evm.compiledFunctions() === 0) await setImmediate()
}

function startEngine(hotGas: bigint): Evm {
  const evm = createEvm('fast', { hotGas })
  evm.reset(host)
  return evm
}

describe('a contract that is called often', () => {
  test('is compiled while the engine goes on, and then does the same', async () => {
    const evm = startEngine(10_000n)
    const interpreted = sumOn(evm, 1000n)
    expect(interpreted.sum).toBe(500_500n)
    expect(evm.compiledFunctions()).toBe(0)
    expect(sumOn(evm, 1000n)).toEqual(interpreted)
    await untilCompiled(evm)
    expect(sumOn(evm, 1000n)).toEqual(interpreted)
  })

  test('is not compiled before', async () => {
    const evm = startEngine(10_000_000n)
    sumOn(evm, 1000n)
    sumOn(evm, 1000n)
    for (let i = 0; i < 50; i++) await setImmediate()
    expect(evm.compiledFunctions()).toBe(0)
  })

  test('is not compiled for rules that were replaced meanwhile', async () => {
    const evm = startEngine(10_000n)
    for (let i = 0; i < 2; i++) sumOn(evm, 1000n)
    expect(sumOn(evm, 10n, 'berlin').status).toBe('halt')
    // One after the other: by the time that this one is compiled, it has been decided about the first.
    for (let i = 0; i < 2; i++) sumOn(evm, 1000n, 'berlin', old)
    await untilCompiled(evm)
    expect(sumOn(evm, 10n, 'berlin', old).sum).toBe(55n)
    expect(sumOn(evm, 10n, 'berlin').status).toBe('halt')
  })

  test('does not disturb an instance that took the place of the one it was compiled for', async () => {
    const evm = startEngine(10_000n)
    sumOn(evm, 1000n)
    sumOn(evm, 1000n)
    // After an exception of its host the engine starts over with a new instance.
    const broken = {
      ...host,
      account: () => {
        throw new Error('disk')
      },
    }
    evm.reset(broken)
    expect(() => sumOn(evm, 1n)).toThrow('disk')
    evm.reset(host)
    for (let i = 0; i < 50; i++) await setImmediate()
    expect(evm.compiledFunctions()).toBe(0)
    expect(sumOn(evm, 10n).sum).toBe(55n)
  })
})
