import { describe, expect, test } from 'vitest'
import { addressOf, assemble, calls, contract, deploys, send, sender, startWorld } from '../../test/support/evmWorld.ts'
import { type Address, emptyBytes } from '../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../primitives/u256.ts'
import type { Message } from './message.ts'
import { opcodes } from './opcodes.ts'
import type { FrameEnter, FrameExit, Tracer } from './tracer.ts'

const other = addressOf(0xbeefn)

interface SeenStep {
  readonly pc: number
  readonly op: string
  readonly gas: bigint
  readonly depth: number
  readonly stack: readonly bigint[]
  readonly memory: number
  cost?: bigint
  passed?: bigint
  error?: string
  after?: readonly bigint[]
}

/** Runs code with a tracer that writes everything down. */
function trace(code: Uint8Array, { callee = emptyBytes, ...message }: Partial<Message> & { callee?: Uint8Array } = {}) {
  const steps: SeenStep[] = []
  const events: string[] = []
  const entered: FrameEnter[] = []
  const exited: FrameExit[] = []
  const tracer: Tracer = {
    onStep({ pc, opName, gas, depth, memorySize, ...step }) {
      events.push(opName)
      steps.push({ pc, op: opName, gas, depth, stack: step.stack(), memory: memorySize })
    },
    onStepEnd(step) {
      const seen = steps.at(-1)!
      seen.cost = step.cost
      seen.passed = step.passedGas
      seen.after = step.stack()
      if (step.error) seen.error = step.error
    },
    onEnter(frame) {
      events.push(`enter ${frame.kind}`)
      entered.push(frame)
    },
    onExit(frame) {
      events.push(`exit ${frame.halt}`)
      exited.push(frame)
    },
  }
  const accounts: [Address, object][] = [
    [sender, { balance: 1000n }],
    [contract, { code, balance: 100n, nonce: 1n }],
    [other, { code: callee, nonce: 1n }],
  ]
  const evm = startWorld(accounts, { kind: 'exact', tracer })
  const outcome = send(evm, message)
  return { steps, events, entered, exited, outcome, evm }
}

describe('tracer', () => {
  test('shows each step before it runs, and its cost afterwards', () => {
    const { steps } = trace(assemble('1 2 ADD 64 MSTORE STOP'), { gas: 1000n })
    expect(steps.map(({ pc, op, gas, cost }) => [pc, op, gas, cost])).toEqual([
      [0, 'PUSH1', 1000n, 3n],
      [2, 'PUSH1', 997n, 3n],
      [4, 'ADD', 994n, 3n],
      [5, 'PUSH1', 991n, 3n],
      [7, 'MSTORE', 988n, 12n],
      [8, 'STOP', 976n, 0n],
    ])
    expect(steps.map(({ stack }) => stack)).toEqual([[], [1n], [1n, 2n], [3n], [3n, 64n], []])
    expect(steps[2]!.after).toEqual([3n])
    expect(steps.map(({ memory }) => memory)).toEqual([0, 0, 0, 0, 0, 96])
  })

  test('the costs of all steps add up to the gas that was used', () => {
    const { steps, outcome } = trace(assemble('5 0 SSTORE 0 SLOAD 64 0 KECCAK256 0 0 LOG0 3 200 EXP'))
    expect(steps.reduce((sum, { cost }) => sum + cost!, 0n)).toBe(1_000_000n - outcome.gasLeft)
  })

  test('the cost of a call has the gas that it passes on', () => {
    const code = assemble(`${calls('CALL', other, { gas: '5000', value: '1', out: '0 0' })} STOP`)
    const { steps, events } = trace(code, { callee: assemble('1 STOP') })
    const step = steps.find(({ op }) => op === 'CALL')!
    expect([step.cost, step.passed]).toEqual([2600n + 9000n + 5000n, 5000n])
    expect(events.slice(-7)).toEqual(['CALL', 'enter CALL', 'PUSH1', 'STOP', 'exit stop', 'STOP', 'exit stop'])
    expect(steps.slice(-3).map(({ depth }) => depth)).toEqual([2, 2, 1])
    expect(steps.at(-1)!.stack).toEqual([1n])
  })

  test('frames report caller, callee, input and outcome', () => {
    const code = assemble(`7 0 MSTORE ${calls('DELEGATECALL', other, { gas: '9000', input: '32 0' })} STOP`)
    const { entered, exited } = trace(code, { callee: assemble('1 0 MSTORE 32 0 REVERT'), value: 5n })
    const common = { from: contract, to: other, codeAddress: other, value: 5n, gas: 9000n }
    expect(entered[1]).toEqual({ kind: 'DELEGATECALL', runs: 'code', depth: 2, input: toWord(7n), ...common })
    expect(exited[0]).toEqual({ depth: 2, halt: 'revert', gasUsed: 18n, output: toWord(1n) })
    expect(entered[0]).toMatchObject({ kind: 'CALL', depth: 1, from: sender, to: contract, value: 5n })
  })

  test('creations, precompiles, accounts without code and SELFDESTRUCT are frames too', () => {
    const init = deploys(assemble('STOP'))
    const code = assemble(
      `${bytesToBigInt(init)} 0 MSTORE ${init.length} ${32 - init.length} 0 CREATE
       ${calls('STATICCALL', addressOf(4n))} ${calls('CALL', addressOf(0x99n))} ${bytesToBigInt(other)} SELFDESTRUCT`,
    )
    const { entered, exited } = trace(code)
    expect(entered.map(({ kind }) => kind)).toEqual(['CALL', 'CREATE', 'STATICCALL', 'CALL', 'SELFDESTRUCT'])
    expect(entered.map(({ runs }) => runs)).toEqual(['code', 'code', 'precompile', 'nothing', 'nothing'])
    expect(entered[1]).toMatchObject({ from: contract, input: init })
    expect(entered[4]).toMatchObject({ from: contract, to: other, value: 100n })
    expect(exited.map(({ halt }) => halt)).toEqual(['return', 'stop', 'stop', 'selfdestruct', 'selfdestruct'])
    expect(exited[0]!.output).toEqual(assemble('STOP'))
  })

  test.each([
    ['ADD', 'stackUnderflow'],
    ['INVALID', 'invalidOpcode'],
    ['7 JUMP', 'invalidJump'],
    ['1 0 0 RETURNDATACOPY', 'returnDataBounds'],
    ['0x200000 MLOAD', 'outOfGas'],
  ])('%s names the error at its step', (source, error) => {
    const { steps, outcome, exited } = trace(assemble(source))
    expect(steps.at(-1)!.error).toBe(error)
    expect(steps.slice(0, -1).every((step) => step.error === undefined)).toBe(true)
    expect([outcome.halt, exited.at(-1)!.halt]).toEqual([error, error])
  })

  test('a step that runs out of gas reports its cost', () => {
    const { steps } = trace(assemble('0x2000 MLOAD'), { gas: 100n })
    const words = 0x2000 / 32 + 1
    expect(steps.at(-1)!.cost).toBe(BigInt(3 + words * 3 + Math.floor((words * words) / 512)))
  })

  test('a tracer can be exchanged, and an EVM without one runs', () => {
    const { evm, events } = trace(assemble('1 STOP'))
    const before = events.length
    evm.setTracer(undefined)
    expect(send(evm).status).toBe('success')
    expect(events).toHaveLength(before)
    let steps = 0
    evm.setTracer({ onStep: () => steps++ })
    send(evm)
    expect(steps).toBe(2)
  })

  test('of opcodes that are not watched only failures are reported', () => {
    const { evm } = trace(assemble('1 2 ADD 3 MUL POP POP'))
    const seen: string[] = []
    const ended: [string, number, string | undefined][] = []
    evm.setTracer({
      watches: [opcodes.MUL],
      onStep: ({ opName }) => seen.push(opName),
      onStepEnd: ({ opName, stackHeight, error }) => ended.push([opName, stackHeight, error]),
    })
    expect(send(evm).halt).toBe('stackUnderflow')
    expect(seen).toEqual(['MUL'])
    expect(ended).toEqual([
      ['MUL', 1, undefined],
      ['POP', 0, 'stackUnderflow'],
    ])
  })
})
