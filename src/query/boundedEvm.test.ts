import { expect, test } from 'vitest'
import { block, contract, mapHost, sender } from '../../test/support/evmWorld.ts'
import { createEvm } from '../evm/evm.ts'
import type { Outcome } from '../evm/message.ts'
import { rulesOf } from '../forks/rules.ts'
import { type Address, keyOf } from '../primitives/bytes.ts'
import { boundedEvm, LongRunError, type Work } from './boundedEvm.ts'

const inner = new Uint8Array(20).fill(0x77) as Address
/** Stores 1 at 0, and loops for ever. */
const endless = Uint8Array.from([0x60, 1, 0x60, 0, 0x55, 0x5b, 0x60, 5, 0x56])
/** Stores 2 at 1, and calls the endless one. */
const outer = Uint8Array.from([
  ...[0x60, 2, 0x60, 1, 0x55, 0x5f, 0x5f, 0x5f, 0x5f, 0x5f, 0x73],
  ...inner,
  ...[0x5a, 0xf1, 0x00],
])
/** Returns 32 zero bytes. */
const short = Uint8Array.from([0x60, 32, 0x5f, 0xf3])
const shortAt = new Uint8Array(20).fill(0x78) as Address

test.each(['sliced', 'trace'] as const)('code that runs longer than it may changes nothing (%s EVM)', (kind) => {
  const work: Work = { left: 0n }
  let events = 0
  const tracer = { onExit: () => void events++ }
  const evm = boundedEvm(createEvm(kind, tracer), work)
  evm.reset(
    mapHost(
      new Map([
        [keyOf(sender), { nonce: 1n, balance: 1n << 80n }],
        [keyOf(contract), { nonce: 1n, balance: 0n, code: outer }],
        [keyOf(inner), { nonce: 1n, balance: 0n, code: endless }],
        [keyOf(shortAt), { nonce: 1n, balance: 0n, code: short }],
      ]),
    ),
  )
  evm.setBlock(block, rulesOf('cancun'))
  evm.beginTx({ origin: sender, gasPrice: 1n, blobHashes: [] })
  const call = (to: Address, left: bigint, value = 0n): Outcome => {
    work.left = left
    return evm.call({ from: sender, to, value, data: new Uint8Array(), gas: 30_000_000n })
  }
  for (let i = 0; i < 3; i++) {
    expect(() => call(contract, 200_000n, 5n)).toThrow(LongRunError)
    expect(evm.balance(contract)).toBe(0n)
    expect(call(shortAt, 200_000n)).toMatchObject({ status: 'success', output: new Uint8Array(32) })
  }
  expect(200_000n - work.left).toBe(8n)
  expect(evm.changes().accounts).toEqual([])
  // What is given up is not told to the tracer.
  expect(events).toBe(kind === 'trace' ? 3 : 0)
  // With all the work that it wants, it runs out of gas inside.
  expect(call(contract, 1n << 60n)).toMatchObject({ status: 'success' })
  expect(evm.changes().accounts).toHaveLength(1)
})
