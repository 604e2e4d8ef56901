import { expect, test } from 'vitest'
import { evmSuite } from '../../test/support/evmSuite.ts'
import { addressOf, assemble, block, contract, send, sender, slotOf } from '../../test/support/evmWorld.ts'
import { rulesOf } from '../forks/rules.ts'
import { emptyBytes, equalBytes } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { bytesToBigInt, toWord } from '../primitives/u256.ts'
import { createEvm } from './createEvm.ts'
import { opcodes } from './opcodes.ts'

const other = addressOf(0xbeefn)

function runtimeOf(size: number): Uint8Array {
  return new Uint8Array(size).fill(opcodes.JUMPDEST)
}

evmSuite('the overlay', (world, kind) => {
  test('is undone to any snapshot', () => {
    const evm = world([[contract, { code: assemble('STOP'), storage: { 1: 1n } }]])
    const start = evm.snapshot()
    evm.addBalance(contract, 5n)
    evm.setNonce(contract, 8n)
    const middle = evm.snapshot()
    evm.setCode(contract, assemble('1 STOP'))
    evm.setStorage(contract, slotOf(1n), toWord(2n))
    evm.addRefund(100n)
    evm.subBalance(contract, 2n)
    evm.revertTo(middle)
    expect(evm.code(contract)).toEqual(assemble('STOP'))
    expect(evm.storage(contract, slotOf(1n))).toEqual(toWord(1n))
    expect([evm.balance(contract), evm.nonce(contract), evm.refund()]).toEqual([5n, 8n, 0n])
    evm.revertTo(start)
    expect([evm.balance(contract), evm.nonce(contract)]).toEqual([0n, 0n])
    expect(evm.changes().accounts).toEqual([])
  })

  test('returns exactly the differences from the host, and none after a flush', () => {
    const code = assemble('7 1 SSTORE 0 2 SSTORE 3 3 SSTORE')
    const evm = world([[contract, { code, storage: { 2: 2n, 3: 3n } }]])
    send(evm)
    evm.setCode(other, runtimeOf(3))
    evm.endTx()
    const changes = evm.changes()
    const bySlot = (a: { slot: Uint8Array }, b: { slot: Uint8Array }) =>
      Number(bytesToBigInt(a.slot) - bytesToBigInt(b.slot))
    expect(changes.accounts.map(({ address }) => address)).toEqual([contract, other])
    expect([...changes.accounts[0]!.slots].sort(bySlot)).toEqual([
      { slot: slotOf(1n), value: toWord(7n) },
      { slot: slotOf(2n), value: toWord(0n) },
    ])
    expect(changes.codes).toEqual([{ hash: keccak256(runtimeOf(3)), code: runtimeOf(3) }])
    evm.flushed()
    expect(evm.changes()).toEqual({ accounts: [], codes: [] })
    expect(evm.storage(contract, slotOf(1n))).toEqual(toWord(7n))
    evm.addBalance(other, 1n)
    expect(evm.changes().accounts).toEqual([
      {
        address: other,
        account: { nonce: 0n, balance: 1n, codeHash: keccak256(runtimeOf(3)) },
        wiped: false,
        slots: [],
      },
    ])
  })

  test('asks the host for each account and slot once', () => {
    const asked: string[] = []
    const evm = createEvm(kind)
    const code = assemble(`1 SLOAD 1 SLOAD 2 SLOAD ${bytesToBigInt(other)} BALANCE ${bytesToBigInt(other)} BALANCE`)
    evm.reset({
      account(address) {
        asked.push(`account ${bytesToBigInt(address).toString(16)}`)
        return equalBytes(address, contract)
          ? { nonce: 0n, balance: 0n, codeHash: keccak256(code), hasStorage: true }
          : undefined
      },
      storage(_, slot) {
        asked.push(`slot ${bytesToBigInt(slot)}`)
        return Uint8Array.of(1)
      },
      code() {
        asked.push('code')
        return code
      },
      blockHash: () => undefined,
    })
    evm.setBlock(block, rulesOf('cancun'))
    evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
    send(evm)
    send(evm)
    expect(asked).toEqual(['account cafe', 'account c0de', 'code', 'slot 1', 'slot 2', 'account beef'])
  })

  test('holds many accounts and slots', () => {
    const evm = world([])
    for (let i = 1n; i <= 5000n; i++) {
      evm.addBalance(addressOf(i << 32n), i)
      evm.setStorage(contract, slotOf(i), toWord(i))
    }
    for (let i = 1n; i <= 5000n; i += 7n) {
      expect(evm.balance(addressOf(i << 32n))).toBe(i)
      expect(evm.storage(contract, slotOf(i))).toEqual(toWord(i))
    }
  })

  test('is new after a reset, also when a host threw in the middle', () => {
    const evm = world([[contract, { code: assemble('1 SLOAD 0 MLOAD'), storage: { 1: 1n } }]])
    const broken = {
      account: () => {
        throw new Error('disk')
      },
      storage: () => emptyBytes,
      code: () => emptyBytes,
      blockHash: () => undefined,
    }
    evm.addBalance(other, 1n)
    evm.reset(broken)
    expect(() => send(evm)).toThrow('disk')
    evm.reset({ ...broken, account: () => undefined })
    evm.setBlock(block, rulesOf('cancun'))
    evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
    expect(evm.balance(other)).toBe(0n)
    expect(send(evm).status).toBe('success')
    expect(evm.changes().accounts).toEqual([])
  })

  test('gives memory back at a reset when a message took very much', () => {
    const evm = world([[contract, { code: assemble(`0x10000000 MLOAD`) }]])
    send(evm, { gas: 1n << 60n })
    expect(evm.memoryBytes()).toBeGreaterThan(256 << 20)
    evm.reset({
      account: () => undefined,
      storage: () => emptyBytes,
      code: () => emptyBytes,
      blockHash: () => undefined,
    })
    expect(evm.memoryBytes()).toBeLessThan(8 << 20)
  })
})
