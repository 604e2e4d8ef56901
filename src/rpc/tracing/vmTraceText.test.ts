import { expect, test } from 'vitest'
import { addressOf, assemble, block, calls, contract, mapHost, sender } from '../../../test/support/evmWorld.ts'
import { createEvm } from '../../evm/createEvm.ts'
import { createBesuFrames } from '../../execution/tracing/besuFrames.ts'
import { createByteLog } from '../../execution/tracing/byteLog.ts'
import { traceCall } from '../../execution/tracing/traceCall.ts'
import { rulesOf } from '../../forks/rules.ts'
import { emptyBytes, keyOf } from '../../primitives/bytes.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import type { Tx } from '../../types/transaction.ts'
import { createVmTraceText } from './vmTraceText.ts'

interface Operation {
  readonly pc: number
  readonly cost: number
  readonly ex: { readonly mem: object | null; readonly push: readonly string[]; readonly used: number } | null
  readonly sub: { readonly ops: readonly Operation[] } | null
}

const rules = rulesOf('cancun')
const callee = addressOf(0xbeefn)
const evm = createEvm('exact')
const openSpill = () => {
  throw new Error('spilled')
}

/** The operations of a transaction that has so much gas to run code with. */
function operations(source: string, { gas = 200_000n, inner = emptyBytes } = {}): readonly Operation[] {
  evm.reset(
    mapHost(
      new Map([
        [keyOf(sender), { balance: 10n ** 18n }],
        [keyOf(contract), { code: assemble(source), nonce: 1n }],
        [keyOf(callee), { code: inner, nonce: 1n }],
      ]),
    ),
  )
  evm.setBlock(block, rules)
  const price = { gasPrice: 10n, gasLimit: 21_000n + gas }
  const tx: Tx = { type: 0, to: contract, value: 0n, data: emptyBytes, nonce: 0n, v: 27n, r: 0n, s: 0n, ...price }
  const vm = createVmTraceText(tx, createByteLog(openSpill))
  const frames = createBesuFrames(evm, rules, [vm.sink], true)
  return traceCall(
    evm,
    tx,
    sender,
    { block, rules },
    {
      tracer: frames.tracer,
      finish({ halt }) {
        frames.finish(halt)
        return (JSON.parse([...vm.finish()].join('')) as { ops: Operation[] }).ops
      },
    },
  )
}

test('a creation that meets another contract leaves a zero', () => {
  const ops = operations('7 0 0 0 CREATE2 POP 7 0 0 0 CREATE2 POP STOP')
  expect(ops[4]!.ex!.push[0]).not.toBe('0x0')
  expect(ops[10]!.ex!.push).toEqual(['0x0'])
  expect(ops[10]!.sub!.ops).toEqual([])
})

test('a call that cannot be paid for leaves its arguments, a push what it pushes', () => {
  expect(operations(`${calls('CALL', callee, { gas: '77' })} STOP`, { gas: 500n }).at(-1)!.ex!.push).toEqual(['0x4d'])
  expect(operations('1 2 ADD 0x1234 STOP', { gas: 10n }).at(-1)!.ex!.push).toEqual(['0x1234'])
})

test('what EXTCODECOPY writes is not told, what CODECOPY writes is', () => {
  const written = (source: string) => operations(source).at(-2)!.ex!.mem
  expect(written(`4 0 0 ${bytesToBigInt(contract)} EXTCODECOPY STOP`)).toBeNull()
  expect(written('4 0 0 CODECOPY STOP')).not.toBeNull()
})

test('code that cannot be paid for takes back what came before its return', () => {
  const init = assemble('20000 0 RETURN')
  const create = `${bytesToBigInt(init)} 0 MSTORE ${init.length} ${32 - init.length} 0 CREATE STOP`
  const { sub } = operations(create).find((operation) => operation.sub)!
  expect(sub!.ops.map(({ ex }) => ex === null)).toEqual([false, true, false])
})
