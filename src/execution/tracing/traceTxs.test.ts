import { describe, expect, test } from 'vitest'
import { addressOf, assemble, block, calls, contract, mapHost, sender } from '../../../test/support/evmWorld.ts'
import { createEvm } from '../../evm/createEvm.ts'
import { opcodes } from '../../evm/opcodes.ts'
import { rulesOf } from '../../forks/rules.ts'
import { type Address, emptyBytes, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import type { Tx } from '../../types/transaction.ts'
import { createBesuFrames } from './besuFrames.ts'
import { type CallFrame, createCallTracer } from './callTracer.ts'
import { createFlatTracer } from './flatTracer.ts'
import { createFourByteTracer } from './fourByteTracer.ts'
import { createKeccakInputs } from './keccakInputs.ts'
import { createPrestateTracer } from './prestateTracer.ts'
import { diffStates } from './stateDiff.ts'
import { createStateOverlay } from './stateOverlay.ts'
import { traceCall } from './traceCall.ts'
import type { TxWatch } from './traceTxs.ts'
import { createValidationTracer, plainOpcodes } from './validationTracer.ts'

const callee = addressOf(0xbeefn)
const rules = rulesOf('cancun')
const options = { block, rules }
const evm = createEvm('exact')

function txTo(to: Address | undefined, data: Uint8Array = emptyBytes): Tx {
  return { type: 0, to, value: 3n, data, nonce: 0n, gasLimit: 200_000n, gasPrice: 10n, v: 27n, r: 0n, s: 0n }
}

/** Runs a transaction on a small world; `prepare` gets what the state was like before. */
function run<T>(
  code: Uint8Array,
  inner: Uint8Array,
  tx: Tx,
  prepare: (before: ReturnType<typeof overlay>) => TxWatch<T>,
): T {
  const accounts = new Map([
    [keyOf(sender), { balance: 10n ** 18n }],
    [keyOf(contract), { code, nonce: 1n, storage: { '1': 7n } }],
    [keyOf(callee), { code: inner, nonce: 1n }],
  ])
  host = mapHost(accounts)
  evm.reset(host)
  evm.setBlock(block, rules)
  return traceCall(evm, tx, sender, options, prepare(overlay()))
}

let host: ReturnType<typeof mapHost>
const overlay = () => createStateOverlay(host, evm.changes())

function callTree(code: string, inner: string, options = { onlyTopCall: false, withLog: true }): CallFrame {
  const tx = txTo(contract)
  const { tracer, finish } = createCallTracer(tx.gasLimit, options)
  return run(assemble(code), assemble(inner), tx, () => ({ tracer, finish }))!
}

describe('callTracer', () => {
  test('a tree with gas, outputs and logs', () => {
    const root = callTree(`${calls('CALL', callee, { gas: '50000' })} 9 0 0 LOG1 STOP`, '1 0 MSTORE 32 0 RETURN')
    expect(root).toMatchObject({ kind: 'CALL', from: sender, to: contract, value: 3n, gas: 200_000n })
    expect(root.gasUsed).toBeGreaterThan(21_000n)
    expect(root.logs).toMatchObject([{ address: contract, topics: [9n], position: 1 }])
    expect(root.calls).toMatchObject([{ kind: 'CALL', from: contract, to: callee, gas: 50_000n, failure: undefined }])
    expect(root.calls[0]!.output).toHaveLength(32)
  })

  test('a frame that fails says at which opcode, and its logs are gone', () => {
    const root = callTree(`${calls('CALL', callee)} STOP`, '0 0 LOG0 INVALID')
    expect(root.calls[0]).toMatchObject({ failure: { halt: 'invalidOpcode', op: 0xfe }, logs: [] })
    expect(root.failure).toBeUndefined()
  })

  test('only the outermost call where no more is wanted', () => {
    const root = callTree(`${calls('CALL', callee)} STOP`, 'STOP', { onlyTopCall: true, withLog: false })
    expect(root.calls).toEqual([])
  })
})

test('4byteTracer counts functions by selector and size', () => {
  const { tracer, counts } = createFourByteTracer()
  const code = assemble(`${calls('CALL', callee, { input: '36 0' })} ${calls('CALL', callee, { input: '36 0' })} STOP`)
  const tx = txTo(contract, Uint8Array.of(1, 2, 3, 4, 5))
  run(code, assemble('STOP'), tx, () => ({ tracer, finish: () => undefined }))
  expect(counts().map(({ argumentBytes, count }) => [argumentBytes, count])).toEqual([
    [1, 1],
    [32, 2],
  ])
})

describe('prestateTracer', () => {
  const code = assemble(`5 1 SSTORE 2 SLOAD POP ${calls('STATICCALL', callee)} STOP`)
  function collect(includeEmpty = false) {
    const shown = { disableCode: false, disableStorage: false, includeEmpty }
    const tracer = createPrestateTracer([sender, contract, block.beneficiary], rules, shown)
    return run(code, assemble('STOP'), txTo(contract), (before) => ({
      tracer: tracer.tracer,
      finish: () => ({ all: tracer.before(before), diff: tracer.difference(before, overlay()) }),
    }))
  }

  test('accounts and slots that were looked at, as they were', () => {
    const { all } = collect()
    expect(all.map(({ address }) => keyOf(address)).sort()).toEqual([sender, contract, callee].map(keyOf).sort())
    const withEmpty = collect(true).all.map(({ address }) => keyOf(address))
    expect(withEmpty.sort()).toEqual([sender, contract, block.beneficiary, callee].map(keyOf).sort())
    const own = all.find(({ address }) => keyOf(address) === keyOf(contract))!
    expect(own.storage.map(({ value }) => value[31])).toEqual([7, 0])
    expect(own.balance).toBe(0n)
  })

  test('only what changed, before and after', () => {
    const { diff } = collect()
    const own = (list: typeof diff.pre) => list.find(({ address }) => keyOf(address) === keyOf(contract))!
    expect(own(diff.pre).storage.map(({ value }) => value[31])).toEqual([7])
    expect(own(diff.post)).toMatchObject({ balance: 3n, nonce: 0n })
    expect(own(diff.post).storage.map(({ value }) => value[31])).toEqual([5])
    expect(diff.pre.some(({ address }) => keyOf(address) === keyOf(callee))).toBe(false)
  })
})

test('what contracts hash, each input once, with the zeros that are not there yet', () => {
  const { see, all } = createKeccakInputs()
  const code = assemble(
    `7 0 MSTORE8 2 0 KECCAK256 POP 2 0 KECCAK256 POP 3 64 KECCAK256 POP 0 0 KECCAK256 1 64 SHL 1 KECCAK256`,
  )
  run(code, emptyBytes, txTo(contract), () => ({
    tracer: { watches: [opcodes.KECCAK256], onStep: see },
    finish: () => undefined,
  }))
  const inputs = all().map(({ hash, input }) => {
    expect(keyOf(hash)).toBe(keyOf(keccak256(input)))
    return [...input]
  })
  expect(inputs).toEqual([[7, 0], [0, 0, 0], []])
})

describe('erc7562Tracer', () => {
  const calleeWord = bytesToBigInt(callee)
  function trace(code: string, inner = 'STOP') {
    const { tracer, finish } = createValidationTracer(evm, 200_000n, { withLog: false, ignored: plainOpcodes })
    return run(assemble(code), assemble(inner), txTo(contract), () => ({ tracer, finish }))!
  }

  test('slots: read before they were written, and how often written', () => {
    const { use } = trace('1 SLOAD POP 5 1 SSTORE 6 1 SSTORE 9 2 SSTORE 2 SLOAD POP 3 TLOAD POP 1 4 TSTORE STOP')
    expect([...use.reads].map(([slot, value]) => [slot, value[31]])).toEqual([[1n, 7]])
    expect([...use.writes]).toEqual([
      [1n, 2],
      [2n, 1],
    ])
    expect([[...use.transientReads], [...use.transientWrites]]).toEqual([[[3n, 1]], [[4n, 1]]])
  })

  test('opcodes that are not plain; gas only where no call follows', () => {
    const { use } = trace(`GAS POP TIMESTAMP POP TIMESTAMP POP ${calls('STATICCALL', callee, { gas: 'GAS' })} STOP`)
    expect(use.opCounts.get(opcodes.TIMESTAMP)).toBe(2)
    expect(use.opCounts.get(opcodes.GAS)).toBe(1)
    expect(use.opCounts.has(opcodes.PUSH0)).toBe(false)
  })

  test('contracts, with the size of their code; a look at code unless it only asks whether there is any', () => {
    const asks = `${calleeWord} EXTCODESIZE ISZERO POP`
    const { use } = trace(`${asks} ${calls('CALL', callee)} ${calleeWord} EXTCODEHASH POP STOP`, '1 2 ADD STOP')
    expect([...use.contracts.values()]).toEqual([{ address: callee, codeSize: 6, op: opcodes.EXTCODESIZE }])
    expect(use.codeReads).toEqual([callee])
    expect(use.inner).toHaveLength(1)
  })

  test('an inner frame that runs out of gas', () => {
    const { use, frame } = trace(`${calls('CALL', callee, { gas: '100' })} STOP`, 'again: @again JUMP')
    expect(use.isOutOfGas).toBe(false)
    expect(use.inner[0]!.isOutOfGas).toBe(true)
    expect(frame.calls[0]!.failure!.halt).toBe('outOfGas')
  })
})

test('a state diff has every account that changed, with its slots', () => {
  const diff = run(assemble('5 1 SSTORE 0 2 SSTORE STOP'), emptyBytes, txTo(contract), (before) => ({
    tracer: undefined,
    finish: () => diffStates(before, overlay()),
  }))
  const own = diff.find(({ address }) => keyOf(address) === keyOf(contract))!
  expect(own.balance).toEqual({ from: 0n, to: 3n })
  expect(own.storage.map(({ value }) => [value.from![31], value.to![31]])).toEqual([[7, 5]])
  expect(diff.map(({ address }) => keyOf(address)).sort()).toEqual(
    [sender, contract, block.beneficiary].map(keyOf).sort(),
  )
})

describe('flat traces', () => {
  function flat(code: string, inner: string) {
    const tx = txTo(contract)
    const tracer = createFlatTracer(tx, sender, true)
    return run(assemble(code), assemble(inner), tx, () => {
      const frames = createBesuFrames(evm, rules, [tracer.sink], false)
      return {
        tracer: frames.tracer,
        finish(outcome) {
          frames.finish(outcome.halt)
          return tracer.finish(outcome)
        },
      }
    })
  }

  test('stand in the order of the calls, with their places', () => {
    const twice = `${calls('CALL', callee)} ${calls('STATICCALL', callee)} STOP`
    const traces = flat(twice, `${calls('CALL', addressOf(0x99n))} STOP`)
    expect(traces.map(({ traceAddress, subtraces }) => [traceAddress.join(), subtraces])).toEqual([
      ['', 2],
      ['0', 1],
      ['0,0', 0],
      ['1', 1],
      ['1,0', 0],
    ])
    expect(traces[2]!.action).toMatchObject({ callType: 'call', from: callee, to: addressOf(0x99n) })
  })

  test('precompiled contracts are not told of, failures are', () => {
    const traces = flat(`${calls('CALL', addressOf(4n))} ${calls('CALL', callee)} STOP`, '1 JUMP')
    expect(traces.map(({ error }) => error)).toEqual([undefined, 'invalidJump'])
  })

  test('a self-destruction is a trace of its own', () => {
    const traces = flat(`${calls('DELEGATECALL', callee)} STOP`, '0x77 SELFDESTRUCT')
    expect(traces.at(-1)).toMatchObject({ type: 'suicide', result: null, traceAddress: [0, 0] })
    expect(traces.at(-1)!.action).toMatchObject({ address: contract, balance: 3n, refundAddress: addressOf(0x77n) })
  })
})
