import { setFlagsFromString } from 'node:v8'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { assemble, block, contract, mapHost, send, sender } from '../../test/support/evmWorld.ts'
import { rulesOf } from '../forks/rules.ts'
import { keyOf } from '../primitives/bytes.ts'
import { toWord } from '../primitives/u256.ts'
import { createEvm } from './createEvm.ts'
import type { Evm } from './evm.ts'
import { EvmError } from './fault.ts'

// V8 refuses every instance that is created from here on more than 128 MiB, as a machine without memory would.
beforeEach(() => setFlagsFromString('--wasm-max-mem-pages=2048'))
afterEach(() => {
  setFlagsFromString('--wasm-max-mem-pages=65536')
  vi.restoreAllMocks()
})

const host = mapHost(new Map([[keyOf(contract), { code: assemble('0 CALLDATALOAD MLOAD') }]]))

function touch(evm: Evm, byte: bigint) {
  evm.reset(host)
  evm.setBlock(block, rulesOf('osaka'))
  evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
  return send(evm, { data: toWord(byte), gas: 1n << 50n }).status
}

test('a transaction that a machine has no memory for ends the process, and is not given a result', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`)
  })
  const evm = createEvm('fast')
  expect(touch(evm, 1n << 20n)).toBe('success')
  expect(() => touch(evm, 200n << 20n)).toThrow('ended with 1')
  expect(exit).toHaveBeenCalledOnce()
})

test('of a trial it is an error, after which the EVM goes on', () => {
  const exit = vi.spyOn(process, 'exit')
  const evm = createEvm('exact', { isTrial: true })
  expect(() => touch(evm, 200n << 20n)).toThrow(EvmError)
  expect(touch(evm, 1n << 20n)).toBe('success')
  expect(exit).not.toHaveBeenCalled()
})
