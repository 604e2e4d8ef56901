import { expect, test } from 'vitest'
import { createEvm } from '../../evm/createEvm.ts'
import type { Evm } from '../../evm/evm.ts'
import type { Host, HostAccount } from '../../evm/host.ts'
import { rulesOf } from '../../forks/rules.ts'
import { type Address, equalBytes, type Hash32, keyOf, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import { fromHex, hexToAddress } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { runSteps } from '../../primitives/steps.ts'
import { privateContractAddress } from '../enclave/groupId.ts'
import { createPrivateHost } from './privateHost.ts'
import { runPrivateTx } from './runPrivateTx.ts'

const sender = hexToAddress(`0x${'aa'.repeat(20)}`)
const outer = hexToAddress(`0x${'01'.repeat(20)}`)
const inner = hexToAddress(`0x${'02'.repeat(20)}`)
const heir = hexToAddress(`0x${'03'.repeat(20)}`)
const unused = hexToAddress(`0x${'04'.repeat(20)}`)
const group = new Uint8Array(32).fill(9)
const block = {
  ...{ number: 5n, timestamp: 1n, beneficiary: zeroAddress, gasLimit: 30_000_000n, difficulty: 1n },
  ...{ prevRandao: zeroHash, baseFee: 0n, blobBaseFee: 0n, chainId: 1337n },
}

/** A state of contracts with these codes; nothing is stored in them. */
function stateOf(codes: readonly (readonly [Address, string])[]): Host {
  const bytes = codes.map(([address, code]) => [keyOf(address), fromHex(code)] as const)
  const accounts = new Map<string, HostAccount>()
  for (const [key, code] of bytes)
    accounts.set(key, { nonce: 1n, balance: 0n, codeHash: keccak256(code), hasStorage: false })
  return {
    account: (address) => accounts.get(keyOf(address)),
    storage: () => new Uint8Array(0),
    code: (hash) => bytes.find(([, code]) => equalBytes(keccak256(code), hash))?.[1] ?? new Uint8Array(0),
    blockHash: () => undefined,
  }
}

const call = (to: Address) => `6000600060006000600073${Buffer.from(to).toString('hex')}5af150`
const store = (slot: number, value: number) => `60${hex(value)}60${hex(slot)}55`
const hex = (n: number) => n.toString(16).padStart(2, '0')
const selfdestruct = (to: Address) => `73${Buffer.from(to).toString('hex')}ff`
const revert = '60006000fd'

function start(evm: Evm, own: Host, open: Host = stateOf([])): Evm {
  evm.reset(createPrivateHost(own, open, [sender]))
  evm.setBlock(block, rulesOf('berlin'))
  return evm
}

const run = (evm: Evm, nonce = 0n, to: Address = outer) =>
  runSteps(runPrivateTx(evm, { sender, to, nonce, gasPrice: 0n, data: new Uint8Array(0) }, group))
const slot = (n: number) => {
  const key = new Uint8Array(32)
  key[31] = n
  return key as Uint8Array as Hash32
}
const storedAt = (evm: Evm, address: Address, n: number) => evm.storage(address, slot(n))[31]

const failingInside = stateOf([
  [outer, `0x${store(1, 1)}${call(inner)}${store(2, 2)}`],
  [inner, `0x${store(3, 3)}${revert}`],
])

test('as in Besu, a call that fails takes back all that came before it, the nonce included', () => {
  const evm = start(createEvm('exact', { sharedChanges: true }), failingInside)
  expect(run(evm).status).toBe(1)
  expect([1, 2].map((n) => storedAt(evm, outer, n))).toEqual([0, 2])
  expect(evm.nonce(sender)).toBe(0n)
  expect(evm.exists(sender)).toBe(false)
})

test('exactly executed, it takes back its own changes only', () => {
  const evm = start(createEvm('exact'), failingInside)
  expect(run(evm).status).toBe(1)
  expect([1, 2].map((n) => storedAt(evm, outer, n))).toEqual([1, 2])
  expect(storedAt(evm, inner, 3)).toBe(0)
  expect(evm.nonce(sender)).toBe(1n)
})

const completingInside = stateOf([
  [outer, `0x${call(inner)}${store(2, 2)}`],
  [inner, `0x${store(1, 1)}${call(heir)}${store(4, 4)}${revert}`],
  [heir, `0x${store(3, 3)}`],
])

test('as in Besu, a call that completes keeps what came before it, even where the caller fails', () => {
  const evm = start(createEvm('exact', { sharedChanges: true }), completingInside)
  expect(run(evm).status).toBe(1)
  expect([storedAt(evm, inner, 1), storedAt(evm, inner, 4), storedAt(evm, heir, 3)]).toEqual([1, 0, 3])
  const exact = start(createEvm('exact'), completingInside)
  run(exact)
  expect([storedAt(exact, inner, 1), storedAt(exact, inner, 4), storedAt(exact, heir, 3)]).toEqual([0, 0, 0])
})

test('a transaction that fails as a whole leaves nothing', () => {
  const state = stateOf([
    [outer, `0x${store(1, 1)}${call(inner)}${revert}`],
    [inner, `0x${store(3, 3)}`],
  ])
  for (const evm of [createEvm('exact', { sharedChanges: true }), createEvm('exact')]) {
    start(evm, state)
    expect(run(evm)).toMatchObject({ status: 0, revertReason: new Uint8Array(0) })
    expect(evm.changes().accounts).toEqual([])
    expect(run(evm, 7n).status).toBe(2)
  }
})

test('as in Besu, SELFDESTRUCT creates the heir and does nothing else, and called accounts stay', () => {
  const state = stateOf([[outer, `0x${call(unused)}${selfdestruct(heir)}`]])
  const evm = start(createEvm('exact', { sharedChanges: true }), state)
  expect(run(evm).status).toBe(1)
  expect([outer, heir, unused].map(evm.exists)).toEqual([true, true, true])
  const exact = start(createEvm('exact'), state)
  run(exact)
  expect([outer, heir, unused].map(exact.exists)).toEqual([false, false, false])
})

test('a public contract can be read, and not changed', () => {
  const open = stateOf([[inner, `0x${store(1, 1)}`]])
  const state = stateOf([[outer, `0x${call(inner)}${store(2, 2)}`]])
  for (const evm of [createEvm('exact', { sharedChanges: true }), createEvm('exact')]) {
    start(evm, state, open)
    expect(run(evm).status).toBe(1)
    expect(storedAt(evm, inner, 1)).toBe(0)
    expect(storedAt(evm, outer, 2)).toBe(2)
    expect(evm.changes().accounts.some(({ address }) => equalBytes(address, inner))).toBe(false)
    expect(run(evm, evm.nonce(sender), inner).status).toBe(0)
  }
})

test('a contract is created at the address of the group', () => {
  const evm = start(createEvm('exact', { sharedChanges: true }), stateOf([]))
  const creation = { sender, to: undefined, nonce: 0n, gasPrice: 0n, data: new Uint8Array(0) }
  expect(runSteps(runPrivateTx(evm, creation, group)).status).toBe(1)
  const made = evm.changes().accounts.map(({ address, account }) => [address, account?.nonce])
  expect(made).toEqual([
    [sender, 1n],
    [privateContractAddress(sender, 0n, group), 1n],
  ])
})

/** JUMPDEST, and a jump back to it. */
const endless = '0x5b600056'

test('code that never ends is given up, with pauses for others, and leaves nothing', () => {
  const evm = start(createEvm('exact', { sharedChanges: true }), stateOf([[outer, endless]]))
  const running = runPrivateTx(evm, { sender, to: outer, nonce: 0n, gasPrice: 0n, data: new Uint8Array(0) }, group)
  let pauses = 0
  for (;;) {
    const { done, value } = running.next()
    if (done) {
      expect(value).toMatchObject({ status: 0, halt: 'outOfGas', logs: [] })
      break
    }
    pauses++
  }
  expect(pauses).toBeGreaterThan(30)
  start(evm, stateOf([[outer, '0x00']]))
  expect(run(evm).status).toBe(1)
})

test('a call may do less, and one that gives up leaves the next one alone', () => {
  const evm = start(createEvm('exact', { sharedChanges: true }), stateOf([[outer, endless]]))
  const message = { sender, to: outer, nonce: 0n, gasPrice: 0n, data: new Uint8Array(0) }
  expect(runSteps(runPrivateTx(evm, message, group, false))).toMatchObject({ status: 0, halt: 'outOfGas' })
  start(evm, stateOf([[outer, '0x00']]))
  expect(runSteps(runPrivateTx(evm, message, group, false)).status).toBe(1)
})

test('code sees the gas that it sees in Besu, whatever it may spend', () => {
  // GAS, stored: 2^63 - 1 less the 2 that GAS costs.
  const evm = start(createEvm('exact', { sharedChanges: true }), stateOf([[outer, '0x5a60005500']]))
  expect(run(evm).status).toBe(1)
  expect(Buffer.from(evm.storage(outer, slot(0))).toString('hex')).toBe(`${'0'.repeat(48)}7ffffffffffffffd`)
})
