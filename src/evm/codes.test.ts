import { describe, expect, test } from 'vitest'
import { addressOf, assemble, block, contract, send, sender } from '../../test/support/evmWorld.ts'
import { rulesOf } from '../forks/rules.ts'
import { concatBytes, emptyBytes, type Hash32, keyOf, zeroHash } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import { createEvm } from './createEvm.ts'
import type { Evm } from './evm.ts'
import type { EvmKind } from './evmModule.ts'
import type { Host } from './host.ts'

const size = 24_576
const first = 0x10000
const plenty = 9_000_000_000_000_000n

/** A host with contracts of 24 KiB from address `first` on, each with other code, and with one of `main`. */
function hostOf(count: number, main: string, sourceOf: (n: number) => string): Host {
  const codes = new Map<string, Uint8Array>()
  const hashes = new Map<string, Hash32>()
  const add = (address: bigint, code: Uint8Array) => {
    const hash = keccak256(code)
    codes.set(keyOf(hash), code)
    hashes.set(keyOf(addressOf(address)), hash)
  }
  for (let n = 0; n < count; n++) {
    const code = assemble(sourceOf(n))
    add(BigInt(first + n), concatBytes(code, new Uint8Array(size - code.length).fill(n % 256)))
  }
  add(bytesToBigInt(contract), assemble(main))
  return {
    account(address) {
      const codeHash = hashes.get(keyOf(address))
      return codeHash && { nonce: 1n, balance: 0n, codeHash, hasStorage: false }
    },
    storage: () => emptyBytes,
    code: (hash) => codes.get(keyOf(hash))!,
    blockHash: () => zeroHash,
  }
}

function begin(evm: Evm, host: Host): void {
  evm.reset(host)
  evm.setBlock(block, rulesOf('osaka'))
  evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
}

describe.each<EvmKind>(['fast', 'exact'])('much code in one transaction (%s EVM)', (kind) => {
  const count = 2000
  /** Returns the number of the contract, which is in its code. */
  const numbered = (n: number) => `${n} 0 MSTORE 32 0 RETURN`
  /** Calls all contracts one at a time and returns the sum of what they return. */
  const main = `0 ${count} loop: 1 SWAP1 SUB 32 0 0 0 0 5 DUP7 ${first} ADD SWAP1 POP GAS CALL POP
    SWAP1 0 MLOAD ADD SWAP1 DUP1 @loop JUMPI POP 0 MSTORE 32 0 RETURN`

  test('leaves the cache again, and is there when it is called', () => {
    const evm = createEvm(kind)
    begin(evm, hostOf(count, main, numbered))
    for (let i = 0; i < 2; i++) {
      const { status, output } = send(evm, { gas: plenty })
      expect([status, bytesToBigInt(output)]).toEqual(['success', BigInt((count * (count - 1)) / 2)])
    }
    expect(evm.memoryBytes()).toBeLessThan(150 << 20)
  })

  test('stays while frames run it', () => {
    /** Calls the contract before it, and returns its number and what that one returned. */
    const nested = (n: number) =>
      `${n ? `32 0 0 0 0 ${first + n - 1} GAS CALL POP` : ''} 0 MLOAD ${n} ADD 0 MSTORE 32 0 RETURN`
    const depth = 1000
    const evm = createEvm(kind)
    begin(evm, hostOf(depth, `32 0 0 0 0 ${first + depth - 1} GAS CALL POP 32 0 RETURN`, nested))
    for (let i = 0; i < 2; i++) {
      const { output } = send(evm, { gas: plenty })
      expect(bytesToBigInt(output)).toBe(BigInt((depth * (depth - 1)) / 2))
    }
  })

  test('comes back where its replacement is undone', () => {
    const evm = createEvm(kind)
    const host = hostOf(count, main, numbered)
    begin(evm, host)
    const address = addressOf(BigInt(first + 7))
    const code = evm.code(address)
    const snapshot = evm.snapshot()
    // The same code, now of this transaction, and another one.
    evm.setCode(addressOf(1234n), evm.code(addressOf(BigInt(first + 8))))
    evm.setCode(address, assemble('1 2 ADD'))
    evm.call({ from: sender, to: contract, value: 0n, data: emptyBytes, gas: plenty })
    expect(evm.code(addressOf(1234n)).length).toBe(size)
    evm.revertTo(snapshot)
    expect(evm.code(address)).toEqual(code)
    expect(evm.code(addressOf(1234n))).toEqual(emptyBytes)
  })
})
