import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble, contract, send, sender, startWorld, type TestedKind } from '../../../test/support/evmWorld.ts'
import { rulesOf } from '../../forks/rules.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { runSteps } from '../../primitives/steps.ts'
import { bytesToBigInt, maxU256, toWord } from '../../primitives/u256.ts'
import { opcodes } from '../opcodes.ts'
import { opTableOf } from '../opTables.ts'
import { compileCode } from './compileCode.ts'

const ops = opTableOf(rulesOf('osaka'))
const compile = (code: Uint8Array) => runSteps(compileCode(code, { ops, scheduleAt: 0, environmentAt: 0 }))

function runOn(kind: TestedKind, code: Uint8Array, gas: bigint, data?: Uint8Array) {
  const evm = startWorld([[contract, { code, storage: { 0: 1n } }]], { kind })
  const { status, gasLeft, output } = send(evm, data ? { gas, data } : { gas })
  return { status, gasLeft, output, refund: evm.refund(), logs: evm.logs() }
}

/** Runs the code as it is and compiled, and expects the same; returns the outcome. */
function runBoth(code: Uint8Array, gas: bigint, data?: Uint8Array) {
  const plain = runOn('exact', code, gas, data)
  expect(runOn('compiling', code, gas, data)).toEqual(plain)
  return plain
}

/** Counts down from 3 with a function that is called twice a round, writes storage and memory, and logs. */
const program = assemble(`3
  loop: JUMPDEST @first 5 @double JUMP
  first: JUMPDEST @second SWAP1 @double JUMP
  second: JUMPDEST DUP1 0 MSTORE 0 SLOAD ADD 0 SSTORE GAS POP
    1 SWAP1 SUB DUP1 @loop JUMPI
  32 0 LOG0 32 0 RETURN
  double: JUMPDEST DUP1 ADD DUP1 1000 LT @failed JUMPI SWAP1 JUMP
  failed: JUMPDEST 0 0 REVERT`)

describe('a compiled contract', () => {
  test('spends and returns the same at every limit of gas', () => {
    const statuses = new Set<string>()
    for (let gas = 0n; gas < 40_000n; gas += gas < 1000n ? 7n : 97n) statuses.add(runBoth(program, gas).status)
    expect([...statuses].sort()).toEqual(['halt', 'success'])
  })

  test('has an entry where a function returns to, and none where it fails', () => {
    const code = assemble(`@back 0 CALLDATALOAD @twice JUMP back: STOP
      twice: DUP1 ADD DUP1 @failed JUMPI SWAP1 JUMP failed: 0 0 REVERT`)
    expect(compile(code).entries).toEqual([0, code.indexOf(opcodes.JUMPDEST)])
  })

  test('returns to a place that is not compiled', () => {
    // The function exchanges its words before it returns to what fails.
    const code = assemble(`@failed 7 @function @there CALLDATASIZE ADD JUMP there: JUMP
      function: 0 DUP2 SWAP1 POP SWAP2 SWAP1 POP JUMP failed: 0 MSTORE 32 0 REVERT`)
    expect(runBoth(code, 100_000n).status).toBe('revert')
  })

  test('computes what is known beforehand like what is not', () => {
    const two = 'ADD SUB LT GT SLT SGT EQ AND OR XOR SHL SHR SAR BYTE SIGNEXTEND MUL DIV'.split(' ')
    const word = fc.oneof(
      fc.bigInt({ min: 0n, max: maxU256 }),
      fc.bigInt({ min: 0n, max: 256n }),
      fc.integer({ min: 0, max: 255 }).map((bits) => (1n << BigInt(bits)) - 1n),
      fc.constant(maxU256),
    )
    const known = fc.tuple(fc.boolean(), fc.boolean())
    fc.assert(
      fc.property(fc.constantFrom(...two), word, word, known, (op, a, b, [knowsA, knowsB]) => {
        const operand = (knows: boolean, value: bigint, at: number) => (knows ? `${value}` : `${at} CALLDATALOAD`)
        const source = `${operand(knowsB, b, 32)} ${operand(knowsA, a, 0)} ${op} DUP1 ISZERO NOT XOR 0 MSTORE 32 0 RETURN`
        runBoth(assemble(source), 100_000n, concatBytes(toWord(a), toWord(b)))
      }),
      { numRuns: 500, seed: 3 },
    )
  })

  test('keeps words apart that were duplicated, exchanged and overwritten', () => {
    const step = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((n) => `DUP${n}`),
      fc.integer({ min: 1, max: 6 }).map((n) => `SWAP${n}`),
      fc.constantFrom('MUL', 'ADD', 'POP', 'SLOAD', '7', '0 MSTORE', '0 MLOAD', 'SUB', 'CALLDATALOAD', '@next JUMPI'),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.array(step, { maxLength: 10 }), (steps, more) => {
        const start = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].join(' ')
        const end = 'ADD '.repeat(5)
        const source = `${start} ${steps.join(' ')} next: JUMPDEST ${more.join(' ')} ${end} 0 MSTORE 64 0 RETURN`
        runBoth(assemble(source), 200_000n)
      }),
      { numRuns: 500, seed: 4 },
    )
  })

  test('fails where the stack is too short or too long', () => {
    const pushes = (count: number) => Array.from({ length: count }, () => [opcodes.PUSH1, 1]).flat()
    const adds = (count: number) => Array.from({ length: count }, () => opcodes.ADD)
    const end = [opcodes.PUSH1, 0, opcodes.MSTORE, opcodes.PUSH1, 32, opcodes.PUSH1, 0, opcodes.RETURN]
    const jump = [opcodes.GAS, opcodes.POP, opcodes.JUMPDEST]
    for (const [words, taken] of [
      [70, 69],
      [70, 70],
      [1022, 1021],
      [1023, 1022],
      [1024, 1023],
      [1025, 1024],
    ] as const) {
      const code = Uint8Array.from([...pushes(words), ...jump, ...adds(taken), ...end])
      const { status, output } = runBoth(code, 100_000n)
      if (status === 'success') expect(bytesToBigInt(output)).toBe(BigInt(words))
    }
  })

  test('leaves the rest of a long block to the interpreter', () => {
    const adds = Array.from({ length: 20_000 }, () => [opcodes.DUP1, opcodes.ADD]).flat()
    const code = Uint8Array.from([...assemble('0 CALLDATASIZE NOT'), ...adds, ...assemble('0 MSTORE 32 0 RETURN')])
    expect(runBoth(code, 1_000_000n).status).toBe('success')
  })

  test('is compiled anew for a fork with other prices', () => {
    const code = assemble('0 SLOAD POP 0 BALANCE POP GAS 0 MSTORE 32 0 RETURN')
    const left = (['istanbul', 'berlin', 'istanbul'] as const).map((fork) =>
      (['exact', 'compiling'] as const).map((kind) => {
        const evm = startWorld(
          [
            [sender, { balance: 1n }],
            [contract, { code }],
          ],
          { kind, fork },
        )
        return bytesToBigInt(send(evm, { gas: 100_000n }).output)
      }),
    )
    for (const [plain, compiled] of left) expect(compiled).toBe(plain)
    expect(left[0]).not.toEqual(left[1])
  })
})
