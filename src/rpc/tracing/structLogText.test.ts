import { describe, expect, test } from 'vitest'
import {
  addressOf,
  assemble,
  calls,
  contract,
  deploys,
  send,
  sender,
  startWorld,
} from '../../../test/support/evmWorld.ts'
import type { Tracer } from '../../evm/tracer.ts'
import { createByteLog } from '../../execution/tracing/byteLog.ts'
import { createStepLog, type StepOptions } from '../../execution/tracing/stepLog.ts'
import { rulesOf } from '../../forks/rules.ts'
import { type Address, emptyBytes } from '../../primitives/bytes.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { structLogText } from './structLogText.ts'

const other = addressOf(0xbeefn)
const rules = rulesOf('cancun')
const all: StepOptions = { stack: true, memory: true, storage: true }
const word = (n: bigint) => n.toString(16).padStart(64, '0')

interface Shown {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack: readonly string[] | null
  readonly memory: readonly string[] | null
  readonly storage: Readonly<Record<string, string>> | null
  readonly reason: string | null
  readonly error?: readonly string[]
}

const openSpill = () => {
  throw new Error('spilled')
}

/** Runs code with the step log, and with a tracer that keeps whole stacks. */
function trace(
  code: Uint8Array,
  { callee = emptyBytes, options = all }: { callee?: Uint8Array; options?: StepOptions } = {},
) {
  const log = createByteLog(openSpill)
  const steps = createStepLog(rules, log, options)
  const seen: { pc: number; stack: string[]; memory: string | undefined }[] = []
  const tracer: Tracer = {
    ...steps,
    onStep(step) {
      seen.push({ pc: step.pc, stack: step.stack().map(word), memory: undefined })
      steps.onStep!(step)
    },
    onStepEnd(step) {
      const starts = step.passedGas > 0n
      if (!starts && !step.error) seen.at(-1)!.memory = Buffer.from(step.memory()).toString('hex')
      steps.onStepEnd!(step)
    },
  }
  const accounts: [Address, object][] = [
    [sender, { balance: 1000n }],
    [contract, { code, balance: 100n, nonce: 1n }],
    [other, { code: callee, nonce: 1n }],
  ]
  const evm = startWorld(accounts, { kind: 'exact', tracer, fork: 'cancun' })
  send(evm)
  const shown = JSON.parse([...structLogText(log, rules, options)].join('')) as Shown[]
  return { shown, seen }
}

describe('struct logs', () => {
  const callee = assemble('5 1 SSTORE 0xabcd 0 MSTORE 4 28 RETURN')
  const init = deploys(assemble('STOP'))
  test.each([
    ['arithmetic', '1 2 ADD DUP1 DUP2 SWAP2 MUL SUB NOT 7 SWAP1 POP POP'],
    ['memory', '0x1234 3 MSTORE 0xff 70 MSTORE8 32 5 100 CODECOPY 10 0 200 CALLDATACOPY 40 0 7 MCOPY 0 MLOAD'],
    ['jumps', '3 loop: 1 SWAP1 SUB DUP1 @loop JUMPI STOP'],
    ['a call', `${calls('CALL', other, { out: '8 3' })} POP MSIZE RETURNDATASIZE 0 64 RETURNDATACOPY`],
    ['a delegate call', `9 1 SSTORE ${calls('DELEGATECALL', other, { out: '4 60' })} 2 2 SSTORE`],
    ['nobody', `${calls('CALL', addressOf(0x99n))} 1 ADD`],
    ['a precompiled contract', `7 0 MSTORE ${calls('STATICCALL', addressOf(4n), { input: '32 0', out: '32 32' })} POP`],
    ['a creation', `${bytesToBigInt(init)} 0 MSTORE ${init.length} ${32 - init.length} 0 CREATE DUP1 EXTCODESIZE`],
  ])('%s: stacks before and memory after each step', (_, source) => {
    const { shown, seen } = trace(assemble(source), { callee })
    const steps = shown.filter(({ op, pc, stack }) => !(op === 'STOP' && pc === 0 && stack?.length === 0))
    expect(steps.map(({ pc, stack }) => ({ pc, stack }))).toEqual(seen.map(({ pc, stack }) => ({ pc, stack })))
    for (const [i, { memory }] of seen.entries())
      if (memory !== undefined) expect(steps[i]!.memory!.join('')).toBe(memory)
  })

  test('storage is what the frame has set, with what calls in its name have', () => {
    const code = assemble(`9 1 SSTORE ${calls('DELEGATECALL', other)} 3 3 SSTORE STOP`)
    const { shown } = trace(code, { callee: assemble('5 1 SSTORE STOP') })
    const storages = shown.filter(({ op }) => op === 'SSTORE' || op === 'STOP').map(({ storage }) => storage)
    expect(storages).toEqual([
      { [word(1n)]: word(9n) },
      { [word(1n)]: word(5n) },
      { [word(1n)]: word(5n) },
      { [word(1n)]: word(5n), [word(3n)]: word(3n) },
      { [word(1n)]: word(5n), [word(3n)]: word(3n) },
    ])
  })

  test('what a failed call has set is gone', () => {
    const code = assemble(`9 1 SSTORE ${calls('DELEGATECALL', other)} STOP`)
    const { shown } = trace(code, { callee: assemble('5 1 SSTORE 0 0 REVERT') })
    expect(shown.at(-1)!.storage).toEqual({ [word(1n)]: word(9n) })
    expect(shown.find(({ op }) => op === 'REVERT')!.reason).toBe('0x')
  })

  test('a step names its exceptional halt, and its cost is without what it passed on', () => {
    const { shown } = trace(assemble(`${calls('CALL', other, { gas: '5000', out: '0 0' })} INVALID`), { callee })
    expect(shown.at(-1)!.error).toEqual(['INVALID_OPERATION'])
    expect(shown.find(({ op }) => op === 'CALL')!.gasCost).toBe(2600)
  })

  test('what is disabled is null', () => {
    const { shown } = trace(assemble('1 0 MSTORE STOP'), { options: { stack: false, memory: false, storage: false } })
    for (const { stack, memory, storage } of shown) expect([stack, memory, storage]).toEqual([null, null, null])
  })

  test('gas is right along a whole run', () => {
    const { shown } = trace(assemble('5 0 SSTORE 0 SLOAD 64 0 KECCAK256 0 0 LOG0 3 200 EXP STOP'))
    for (const [i, step] of shown.slice(1).entries()) expect(step.gas).toBe(shown[i]!.gas - shown[i]!.gasCost)
  })

  describe('faults as Besu tells them', () => {
    const last = (shown: readonly Shown[], op: string) => shown.findLast((step) => step.op === op)!

    test.each([
      ['1 1 SSTORE', 'SSTORE'],
      ['1 1 TSTORE', 'TSTORE'],
    ])('a write in a static call costs all gas: %s', (source, op) => {
      const { shown } = trace(assemble(`${calls('STATICCALL', other)} STOP`), { callee: assemble(source) })
      const { gas, gasCost, error } = last(shown, op)
      expect([error, gasCost]).toEqual([['ILLEGAL_STATE_CHANGE'], gas])
    })

    test('a change in a static call comes before a lack of gas', () => {
      const staticCall = calls('STATICCALL', other, { gas: '20000' })
      const { shown } = trace(assemble(`${staticCall} STOP`), { callee: assemble('0 0 0 CREATE') })
      expect(last(shown, 'CREATE').error).toEqual(['ILLEGAL_STATE_CHANGE'])
      const plain = trace(assemble(`${calls('CALL', other, { gas: '20000' })} STOP`), {
        callee: assemble('0 0 0 CREATE'),
      })
      expect(last(plain.shown, 'CREATE').error).toEqual(['INSUFFICIENT_GAS'])
    })

    test('what is copied from beyond the returned data costs nothing', () => {
      expect(trace(assemble('1 0 0 RETURNDATACOPY')).shown.at(-1)).toMatchObject({
        gasCost: 0,
        error: ['INVALID_RETURN_DATA_BUFFER_ACCESS'],
      })
    })

    test('a creation that meets another contract', () => {
      const { shown } = trace(assemble('7 0 0 0 CREATE2 POP 7 0 0 0 CREATE2 POP STOP'))
      expect(shown.filter(({ op }) => op === 'CREATE2').map(({ error }) => error)).toEqual([
        undefined,
        ['INSUFFICIENT_GAS'],
      ])
    })

    test('code that is too large, and too dear', () => {
      const errorOf = (gas: string) => {
        const init = assemble('30000 0 RETURN')
        const create = `${bytesToBigInt(init)} 0 MSTORE ${init.length} ${32 - init.length} 0 CREATE`
        const { shown } = trace(assemble(`${calls('CALL', other, { gas })} STOP`), { callee: assemble(create) })
        return shown.find(({ error }) => error)?.error
      }
      expect(errorOf('300000')).toEqual(['INSUFFICIENT_GAS'])
    })

    test('a call that is not made has grown the memory at once', () => {
      const growth = (value: string) =>
        last(trace(assemble(`${calls('CALL', addressOf(0x99n), { value, out: '32 32' })} STOP`)).shown, 'CALL').memory
      expect(growth('1000')).toHaveLength(2)
      expect(growth('1')).toHaveLength(0)
    })
  })
})
