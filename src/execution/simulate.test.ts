import { describe, expect, test } from 'vitest'
import {
  addressOf,
  assemble,
  block,
  contract,
  mapHost,
  returnTop,
  sender,
  slotOf,
  type TestAccount,
} from '../../test/support/evmWorld.ts'
import { createEvm } from '../evm/createEvm.ts'
import { rulesOf } from '../forks/rules.ts'
import { type Address, emptyBytes, keyOf } from '../primitives/bytes.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import type { LegacyTx, Tx } from '../types/transaction.ts'
import { estimateGas, measure } from './estimateGas.ts'
import { TxError } from './fault.ts'
import type { Payment } from './runTx.ts'
import { simulate } from './simulate.ts'
import { createSlotCollector } from './traceAccessList.ts'

const rules = rulesOf('cancun')
const evm = createEvm('exact')

function putCode(code: string, more: readonly (readonly [Address, string])[] = []): void {
  const accounts = new Map<string, TestAccount>([[keyOf(sender), { balance: 1000n }]])
  for (const [at, source] of [[contract, code] as const, ...more])
    accounts.set(keyOf(at), { code: assemble(source), balance: 10n })
  evm.reset(mapHost(accounts))
  evm.setBlock(block, rules)
}

function tx(fields: Partial<LegacyTx> = {}): LegacyTx {
  const usual = { gasLimit: 1_000_000n, to: contract, value: 0n, data: emptyBytes, nonce: 0n, gasPrice: 0n }
  return { type: 0, ...usual, v: 27n, r: 0n, s: 0n, ...fields }
}

const options = { block, rules, pays: 'value' as const }

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as TxError).at.code
  }
}

describe('a trial', () => {
  test('leaves the state as it was', () => {
    putCode(`7 1 SSTORE 1 SLOAD ${returnTop}`)
    for (let i = 0; i < 2; i++) {
      const trial = simulate(evm, tx({ value: 5n }), sender, options)
      expect(trial).toMatchObject({ status: 1, gasUsed: trial.gasSpent })
      expect(trial.output).toEqual(slotOf(7n))
    }
    expect(evm.changes().accounts).toEqual([])
    expect(evm.balance(sender)).toBe(1000n)
  })

  test('shows what a call returned, reverted with, or why it stopped', () => {
    putCode('32 0 REVERT')
    expect(simulate(evm, tx(), sender, { ...options, pays: 'nothing' })).toMatchObject({
      status: 0,
      halt: 'revert',
      output: new Uint8Array(32),
    })
    putCode('INVALID')
    const halted = simulate(evm, tx(), sender, { ...options, pays: 'nothing' })
    expect(halted).toMatchObject({ status: 0, halt: 'invalidOpcode', gasUsed: 1_000_000n })
  })

  test.each<[Payment, Partial<LegacyTx>, string | undefined]>([
    ['nothing', { value: 5000n }, undefined],
    ['value', { value: 1000n }, undefined],
    ['value', { value: 1001n }, 'INSUFFICIENT_FUNDS'],
    ['all', {}, 'MAX_FEE_BELOW_BASE_FEE'],
    ['all', { gasPrice: 7n }, 'INSUFFICIENT_FUNDS'],
    ['nothing', { gasLimit: 20_999n }, 'INTRINSIC_GAS_TOO_LOW'],
  ])('paying for %s: %o', (pays, fields, code) => {
    putCode('STOP')
    expect(codeOf(() => simulate(evm, tx(fields), sender, { ...options, pays }))).toBe(code)
  })
})

test('a call whose bid for blobs is below their price pays its bid', () => {
  putCode(`ORIGIN BALANCE ${returnTop}`)
  const fees = { maxFee: 7n, maxPriorityFee: 0n, maxBlobFee: 2n, blobHashes: [slotOf(1n)], accessList: [] }
  const common = { gasLimit: 50_000n, to: contract, value: 0n, data: emptyBytes, nonce: 0n, chainId: 1337n }
  const blobTx: Tx = { type: 3, ...common, ...fees, yParity: 0, r: 0n, s: 0n }
  const balance = 10n ** 9n
  evm.addBalance(sender, balance - 1000n)
  const { output } = simulate(evm, blobTx, sender, { block, rules })
  expect(output).toEqual(slotOf(balance - 50_000n * 7n - 131_072n * 2n))
})

describe('an estimate', () => {
  const other = addressOf(0x0ddn)

  test.each([
    ['a plain call', 'STOP'],
    ['one that clears a slot, which refunds gas only at the end', '1 0 SSTORE 0 0 SSTORE'],
    ['one that stores with little gas left', '1 2 SSTORE'],
    [
      'one that fails unless its inner call has enough',
      `0 0 0 0 0 ${BigInt(`0x${Buffer.from(other).toString('hex')}`)} GAS CALL ISZERO @bad JUMPI STOP bad: INVALID`,
    ],
    ['one that sends ether to an account without code', `0 0 0 0 1 0x77 0 CALL ISZERO @bad JUMPI STOP bad: INVALID`],
    ['one that demands much gas', `400000 GAS GT ISZERO @bad JUMPI STOP bad: 0 0 REVERT`],
  ])('for %s is enough, and one less is not', (_, code) => {
    const inner = '1 2 SSTORE 1 3 SSTORE'
    putCode(code, [[other, inner]])
    const { trial, gas } = estimateGas(evm, tx(), sender, options)
    expect(trial.status).toBe(1)
    const outcome = (gasLimit: bigint) => {
      try {
        return simulate(evm, tx({ gasLimit }), sender, options).status
      } catch {
        return 'refused'
      }
    }
    expect(outcome(gas)).toBe(1)
    expect(outcome(gas - 1n)).not.toBe(1)
  })

  test('for one that uses up most of what it has is near what it has', () => {
    putCode(`0 0 0 0 0 ${bytesToBigInt(other)} GAS CALL STOP`, [[other, 'INVALID']])
    const { trial, gas } = estimateGas(evm, tx(), sender, options)
    expect([trial.status, gas >= trial.gasSpent, gas <= 1_000_000n]).toEqual([1, true, true])
  })

  test('is exact where nothing else is tolerated', () => {
    putCode(`0 0 0 0 0 ${bytesToBigInt(other)} GAS CALL STOP`, [[other, 'GAS 900000 LT 8 JUMPI STOP JUMPDEST INVALID']])
    const near = estimateGas(evm, tx(), sender, options, 1)
    const exact = estimateGas(evm, tx(), sender, options, 0)
    expect(exact.gas <= near.gas).toBe(true)
    expect(simulate(evm, tx({ gasLimit: exact.gas }), sender, options).status).toBe(1)
  })

  test('never exceeds the gas that a transaction may have', () => {
    putCode(`0 0 0 0 0 ${bytesToBigInt(other)} GAS CALL STOP`, [[other, 'INVALID']])
    const osaka = { ...options, rules: rulesOf('osaka') }
    evm.setBlock(block, osaka.rules)
    const { gas } = estimateGas(evm, tx({ gasLimit: 30_000_000n }), sender, osaka)
    expect(gas <= 16_777_216n).toBe(true)
  })

  test('of what fails with all gas is its failure', () => {
    putCode('0 0 REVERT')
    expect(estimateGas(evm, tx(), sender, options).trial.halt).toBe('revert')
  })

  test('a refused trial leaves no tracer behind', () => {
    putCode('STOP')
    let steps = 0
    expect(codeOf(() => measure(evm, tx({ gasLimit: 1n }), sender, options, { onStep: () => steps++ }))).toBeDefined()
    simulate(evm, tx(), sender, options)
    expect(steps).toBe(0)
  })
})

describe('collected slots', () => {
  const other = addressOf(0x0ddn)
  const callOther = `0 0 0 0 0 ${BigInt(`0x${Buffer.from(other).toString('hex')}`)} GAS CALL`

  function collect(code: string, inner: string) {
    putCode(code, [[other, inner]])
    const collector = createSlotCollector([])
    measure(evm, tx(), sender, options, collector.tracer)
    return collector.slots()
  }

  test('come frame by frame, each once', () => {
    const list = collect(`${callOther} 1 SLOAD 5 2 SSTORE 1 SLOAD`, '9 SLOAD')
    expect(list).toEqual([
      { address: contract, slots: [slotOf(1n), slotOf(2n)] },
      { address: other, slots: [slotOf(9n)] },
    ])
  })

  test('of a failed frame are forgotten', () => {
    expect(collect(callOther, '9 SLOAD 0 0 REVERT')).toEqual([])
  })

  test('follow those that were announced', () => {
    putCode('1 SLOAD')
    const collector = createSlotCollector([{ address: other, slots: [slotOf(4n)] }])
    measure(evm, tx(), sender, options, collector.tracer)
    expect(collector.slots().map(({ address }) => address)).toEqual([other, contract])
  })
})

test('errors are of the transaction', () => {
  putCode('STOP')
  expect(() => simulate(evm, tx({ gasLimit: 1n }), sender, { ...options, pays: 'nothing' })).toThrow(TxError)
})
