import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, assemble, block, contract, mapHost, sender, slotOf } from '../../test/support/evmWorld.ts'
import { rulesOf } from '../forks/rules.ts'
import { forks } from '../forks/table.ts'
import { keyOf } from '../primitives/bytes.ts'
import { createEvm } from './createEvm.ts'
import type { Evm } from './evm.ts'
import { opcodes } from './opcodes.ts'
import { opTableOf } from './opTables.ts'

const { PUSH1, PUSH2 } = opcodes
const other = addressOf(0xbeefn)

/** Small pushes of what makes opcodes do something: offsets, addresses, jump targets. */
const push = fc.oneof(
  fc.integer({ min: 0, max: 255 }).map((n) => [PUSH1, n]),
  fc.integer({ min: 0, max: 3 }).map((n) => [PUSH1, n]),
  fc.constantFrom([PUSH2, 0xc0, 0xde], [PUSH2, 0xbe, 0xef], [PUSH2, 0xff, 0xff], [PUSH1, 2]),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => [opcodes.PUSH32, ...bytes]),
)

const known = opTableOf(rulesOf('osaka')).flatMap((op) => (op ? [op.code] : []))

/** An opcode with operands in front of it, most of the time. */
const instruction = fc
  .tuple(fc.constantFrom(...known), fc.array(push, { minLength: 7, maxLength: 7 }), fc.integer({ min: 0, max: 9 }))
  .map(([code, operands, luck]) => {
    const taken = opTableOf(rulesOf('osaka'))[code]!.in
    if (code >= PUSH1 && code <= opcodes.SWAP16) return luck ? operands[0]! : [code]
    return [...operands.slice(0, luck ? taken : 0).flat(), code]
  })

const program = fc
  .array(fc.oneof({ weight: 9, arbitrary: instruction }, { weight: 1, arbitrary: fc.constant([opcodes.JUMPDEST]) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((parts) => Uint8Array.from(parts.flat()))

const [fast, exact] = [createEvm('fast'), createEvm('exact')]
let pauses = 0
const endless = 1n << 62n

const gas = fc.oneof(fc.bigInt({ min: 0n, max: 3000n }), fc.bigInt({ min: 0n, max: 200_000n }), fc.constant(3_000_000n))

/** All that a transaction leaves behind and that a chain can see. */
function observe(evm: Evm, codes: readonly [Uint8Array, Uint8Array], limit: bigint, fork: number, mayPause = false) {
  const rules = rulesOf(forks[fork]!.name)
  evm.reset(
    mapHost(
      new Map([
        [keyOf(sender), { nonce: 1n, balance: 1n << 80n }],
        [keyOf(contract), { nonce: 1n, balance: 1000n, code: codes[0], storage: { 0: 1n, 1: 5n } }],
        [keyOf(other), { nonce: 1n, balance: 5n, code: codes[1], storage: { 2: 1n } }],
      ]),
    ),
  )
  evm.setBlock(block, rules)
  evm.beginTx({ origin: sender, gasPrice: 1n, blobHashes: [slotOf(1n)] })
  evm.setWork(mayPause ? 0n : endless)
  let outcome = evm.call({ from: sender, to: contract, value: 3n, data: codes[1], gas: limit })
  while (outcome.status === 'paused') {
    pauses++
    evm.setWork(0n)
    outcome = evm.resume()
  }
  const { status, gasLeft, output, halt } = outcome
  const refund = evm.refund()
  const logs = evm.logs()
  evm.endTx()
  const { accounts, codes: newCodes } = evm.changes()
  const sorted = accounts
    .map((change) => ({ ...change, slots: [...change.slots].sort((a, b) => Buffer.compare(a.slot, b.slot)) }))
    .sort((a, b) => Buffer.compare(a.address, b.address))
  return { seen: { status, gasLeft, output, refund, logs, accounts: sorted, newCodes }, halt }
}

test('the builds agree on random programs, also with pauses', () => {
  const succeeded = { yes: 0, no: 0 }
  fc.assert(
    fc.property(program, program, gas, fc.integer({ min: 0, max: forks.length - 1 }), (first, second, limit, fork) => {
      const want = observe(exact, [first, second], limit, fork)
      expect(observe(fast, [first, second], limit, fork).seen).toEqual(want.seen)
      expect(observe(exact, [first, second], limit, fork, true)).toEqual(want)
      succeeded[want.seen.status === 'success' ? 'yes' : 'no']++
    }),
    { numRuns: 600, seed: 7 },
  )
  expect(Math.min(succeeded.yes, succeeded.no)).toBeGreaterThan(100)
  expect(pauses).toBeGreaterThan(100)
})

test('a JUMPDEST that follows the end of a block is paid for once', () => {
  // JUMPI not taken onto a JUMPDEST, SSTORE and GAS before one.
  const code = assemble('0 9 JUMPI JUMPDEST GAS JUMPDEST POP JUMPDEST 1 0 SSTORE JUMPDEST')
  const runs = [fast, exact].map((evm) => observe(evm, [code, code], 100_000n, 12).seen)
  expect(runs[0]).toEqual(runs[1])
  expect(runs[0]!.status).toBe('success')
})

test('blocks too large for the compact form are charged in full', () => {
  // 200 words of stack, and 40 times LOG4: more gas than 16 bits hold.
  const pushes = Array.from({ length: 240 }, () => [PUSH1, 0]).flat()
  const logs = Array.from({ length: 40 }, () => opcodes.LOG4)
  const code = Uint8Array.from([...pushes, ...logs])
  const runs = [fast, exact].map((evm) => observe(evm, [code, code], 200_000n, 12).seen)
  expect(runs[0]).toEqual(runs[1])
  expect(runs[0]!.logs).toHaveLength(40)
  const short = observe(fast, [code, code], 60_000n, 12)
  expect(short.halt).toBe('outOfGas')
})
