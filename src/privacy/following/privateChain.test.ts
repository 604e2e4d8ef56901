import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../../test/support/manualClock.ts'
import { createRecordedLogs, type RecordedLogs } from '../../../test/support/recordedLogs.ts'
import { signPrivate } from '../../../test/support/signPrivate.ts'
import {
  devSpec,
  devTx,
  makeBlock,
  openTestChain,
  removeFolder,
  type TestChain,
} from '../../../test/support/testChain.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import { toBase64 } from '../enclave/base64.ts'
import { type Enclave, EnclaveError, type ReceivedPayload } from '../enclave/enclave.ts'
import { createGroupStates, type GroupStates } from '../execution/groupStates.ts'
import { createPrivateExecutor } from '../execution/privateExecutor.ts'
import type { PrivateExecutor } from '../execution/privateJobs.ts'
import type { PrivateLogs } from '../execution/privateLogs.ts'
import { privateReceiptsIn } from '../execution/privateReceipts.ts'
import { privacyPrecompile } from '../sending/markers.ts'
import { type PrivateRecipients, txGroupId } from '../sending/privateTx.ts'
import { createPrivateChain } from './createPrivateChain.ts'
import type { PrivateChain } from './privateChain.ts'

const party = new Uint8Array(32).fill(1)
const recipients = { privateFor: [party] }
const group = txGroupId({ privateFrom: party, recipients })

/** Init code that emits a log and leaves no code. */
const logging = fromHex('0x60206000a0')

/** A private transaction of an account that creates an empty contract and emits a log. */
function creation(
  nonce: bigint,
  account = 1,
  to: PrivateRecipients = recipients,
  chainId = devSpec.chainId,
): Uint8Array {
  const fields = { nonce, to: undefined, data: logging, privateFrom: party, recipients: to }
  return signPrivate(fields, chainId, new Uint8Array(32).fill(account))
}

let here: TestChain
let clock: ManualClock
let payloads: Map<string, ReceivedPayload>
let isDown: boolean
let broken: Uint8Array | undefined
/** Happens after the manager has looked for a payload, and before it answers. */
let onLooked: () => void
let corrupt: Uint8Array | undefined
/** What became of private transactions, in the order in which their blocks were done. */
let executed: string[]
let logs: RecordedLogs
let groups: GroupStates
let follower: PrivateChain

const nobody = () => Promise.reject(new Error('not asked for'))
const enclave: Enclave = {
  ...{ send: nobody, createGroup: nobody, deleteGroup: nobody, findGroups: nobody, retrieveGroup: nobody },
  async receive(key) {
    if (isDown || (corrupt && equalBytes(corrupt, key)))
      throw new EnclaveError({ code: 'ENCLAVE_UNAVAILABLE', text: 'down' })
    const found = payloads.get(toBase64(key))
    onLooked()
    if (!found) throw new EnclaveError({ code: 'ENCLAVE_REFUSED', status: 404, text: 'not found' })
    return found
  },
}

/** Hands a private transaction to the manager; returns its key. */
function hand(payload: Uint8Array, label = group): Uint8Array {
  const key = keccak256(payload)
  payloads.set(toBase64(key), { payload, privacyGroupId: toBase64(label), senderKey: toBase64(party) })
  return key
}

const markerOf = (publicNonce: bigint, key: Uint8Array) => devTx(publicNonce, { to: privacyPrecompile, data: key })

/** The marker of a private transaction that the manager has. */
const mark = (publicNonce: bigint, payload: Uint8Array) => markerOf(publicNonce, hand(payload))

/** Resolves when the follower has done what it can do now. */
const idle = () => new Promise((resolve) => setImmediate(resolve))

const rootAt = (block: number, of = group) => here.store.read((reader) => groups.rootAt(reader, of, block))

/** The statuses of a group's private transactions, in order. */
const statuses = (of = group) =>
  here.store.read((reader) => [...privateReceiptsIn(reader, of, 0, 100)].map(({ receipt }) => receipt.status))

function start(): PrivateChain {
  const consensus = { beneficiary: () => undefined }
  const usual = createPrivateExecutor({ consensus, standardFrom: undefined, kind: 'managed' })
  const executor: PrivateExecutor = {
    ...usual,
    async runBlock(view, block, of, state, jobs, maxTurns) {
      if (broken && equalBytes(of, broken)) throw new Error('broken')
      const outcome = await usual.runBlock(view, block, of, state, jobs, maxTurns)
      if (outcome) executed.push(...jobs.map(({ wasExhausted }) => (wasExhausted ? 'left out' : 'run')))
      return outcome
    },
  }
  const { chain, store } = here
  const made = createPrivateChain({
    ...{ chain, store, groups, executor, enclave, clock, log: logs.child('privacy') },
    ...{ kind: 'managed', ownKeys: [party] },
  })
  made.start()
  return made
}

/** Loses a payload at this node; returns what brings it back. */
function lose(payload: Uint8Array): () => Uint8Array {
  const key = keccak256(payload)
  const lost = payloads.get(toBase64(key))!
  payloads.delete(toBase64(key))
  return () => {
    payloads.set(toBase64(key), lost)
    return key
  }
}

beforeEach(() => {
  here = openTestChain()
  clock = createManualClock(0)
  payloads = new Map()
  isDown = false
  broken = undefined
  executed = []
  onLooked = () => {}
  corrupt = undefined
  logs = createRecordedLogs()
  groups = createGroupStates(here.store)
  follower = start()
})

afterEach(async () => {
  await follower.stop()
  await here.close()
  removeFolder(here.path)
})

test('blocks are imported while the manager is down; private transactions follow when it is back', async () => {
  isDown = true
  makeBlock(here.chain, [mark(0n, creation(0n))])
  makeBlock(here.chain, [mark(1n, creation(1n))])
  makeBlock(here.chain)
  expect(here.chain.head().header.number).toBe(3n)
  // The first attempt has failed by then.
  await idle()
  expect(follower.position()).toBe(0)
  const asked = follower.reach(group, 3n)
  clock.run(10_000)
  await expect(asked).rejects.toMatchObject({ at: { code: 'PRIVATE_STATE_BEHIND', at: 0n, wanted: 3n } })

  await idle()
  isDown = false
  clock.run(10_000)
  await follower.reach(group, 3n)
  expect(rootAt(0)).toEqual(emptyTrieRoot)
  expect(rootAt(1)).not.toEqual(emptyTrieRoot)
  expect(rootAt(2)).not.toEqual(rootAt(1))
  expect(rootAt(3)).toEqual(rootAt(2))
})

test('what others do in private is passed over', async () => {
  makeBlock(here.chain, [devTx(0n, { to: privacyPrecompile, data: new Uint8Array(32) })])
  await follower.reach(group, 1n)
  expect(rootAt(1)).toEqual(emptyTrieRoot)
})

test('a reorganisation undoes private state, and the other branch is executed', async () => {
  const there = openTestChain(devSpec)
  const first = mark(0n, creation(0n))
  there.chain.importBlock(makeBlock(here.chain, [first]))
  makeBlock(here.chain, [mark(1n, creation(1n))])
  await follower.reach(group, 2n)
  const [one, two] = [rootAt(1), rootAt(2)]
  expect(two).not.toEqual(one)
  for (let n = 0; n < 2; n++)
    here.chain.importBlock(makeBlock(there.chain, [], n === 0 ? { timestamp: 1_900_000_000n } : {}))
  await follower.reach(group, 3n)
  expect(rootAt(3)).toEqual(one)
  await there.close()
  removeFolder(there.path)
})

test('a node that starts again goes on where it was', async () => {
  makeBlock(here.chain, [mark(0n, creation(0n))])
  await follower.reach(group, 1n)
  const root = rootAt(1)
  await follower.stop()
  makeBlock(here.chain, [mark(1n, creation(1n))])
  follower = start()
  await follower.reach(group, 2n)
  expect(rootAt(1)).toEqual(root)
  expect(rootAt(2)).not.toEqual(root)
})

const otherRecipients = { privateFor: [party, new Uint8Array(32).fill(2)] }
const otherGroup = txGroupId({ privateFrom: party, recipients: otherRecipients })

describe('a payload that comes late', () => {
  let roots: readonly Uint8Array[]
  let bringBack: () => Uint8Array

  /** Three blocks, first as a node without the fault executes them, then without the first payload. */
  beforeEach(async () => {
    const first = creation(0n)
    const blocks = [
      [mark(0n, first)],
      [mark(1n, creation(1n)), markerOf(2n, hand(creation(0n, 2, otherRecipients), otherGroup))],
      [mark(3n, creation(2n))],
    ].map((txs) => makeBlock(here.chain, txs))
    await follower.reach(group, 3n)
    roots = [1, 2, 3].map((block) => rootAt(block))
    await follower.stop()
    await here.close()
    removeFolder(here.path)

    here = openTestChain()
    groups = createGroupStates(here.store)
    bringBack = lose(first)
    follower = start()
    for (const block of blocks) here.chain.importBlock(block)
    await follower.reach(group, 3n)
    expect(rootAt(3)).toEqual(emptyTrieRoot)
    expect(statuses()).toEqual([2, 2])
  })

  async function expectRecovered(): Promise<void> {
    while (statuses().length < 3) await idle()
    await follower.reach(group, 3n)
    expect([1, 2, 3].map((block) => rootAt(block))).toEqual(roots)
    expect(statuses()).toEqual([1, 1, 1])
  }

  test('is executed in its place, and what follows it again, when the manager says so', async () => {
    const seen: PrivateLogs[] = []
    follower.onLogs((event) => seen.push(event))
    const untouched = rootAt(3, otherGroup)
    follower.onArrival(bringBack())
    await expectRecovered()
    expect(rootAt(3, otherGroup)).toEqual(untouched)
    expect(seen.map(({ logs, removed }) => [Number(logs[0]!.blockNumber), removed])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ])
    expect(logs.lines()).toContain(
      `info a payload of block 1 has come late: group ${toBase64(group)} executes again from there`,
    )
  })

  test.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'is executed when it comes %i turns after a block: nothing else has to happen',
    async (turns) => {
      makeBlock(here.chain, [markerOf(4n, hand(creation(1n, 2, otherRecipients), otherGroup))])
      await follower.reach(group, 4n)
      for (let n = 0; n < turns; n++) await undefined
      follower.onArrival(bringBack())
      await expectRecovered()
    },
  )

  test('is executed when it comes while the manager is about to say that it is not there', async () => {
    onLooked = () => {
      onLooked = () => {}
      follower.onArrival(bringBack())
    }
    follower.onArrival(keccak256(creation(0n)))
    await expectRecovered()
  })

  test('is asked for from time to time where the manager says nothing', async () => {
    bringBack()
    clock.run(1000)
    await expectRecovered()
  })

  test('is asked for after a restart', async () => {
    await follower.stop()
    bringBack()
    follower = start()
    await expectRecovered()
  })

  test('is asked for when the manager was unavailable', async () => {
    // Beyond the last regular attempt.
    for (let n = 0; n < 10; n++) {
      clock.run(3_600_000)
      await idle()
    }
    isDown = true
    makeBlock(here.chain, [markerOf(4n, new Uint8Array(32))])
    await idle()
    clock.run(500)
    await idle()
    isDown = false
    bringBack()
    clock.run(10_000)
    await expectRecovered()
  })

  test('undoes what was logged after it', async () => {
    follower.onArrival(bringBack())
    await expectRecovered()
    const late = creation(0n, 3)
    const key = keccak256(late)
    makeBlock(here.chain, [markerOf(4n, key)])
    makeBlock(here.chain, [mark(5n, creation(3n))])
    await follower.reach(group, 5n)
    const seen: PrivateLogs[] = []
    follower.onLogs((event) => seen.push(event))
    hand(late)
    follower.onArrival(key)
    while (statuses().length < 5) await idle()
    await follower.reach(group, 5n)
    expect(seen.map(({ logs, removed }) => [Number(logs[0]!.blockNumber), removed])).toEqual([
      [5, true],
      [4, false],
      [5, false],
    ])
  })

  test('and a crash in the midst of it: the group goes on from where it was', async () => {
    broken = group
    follower.onArrival(bringBack())
    while (follower.groupsBehind() === 0) await idle()
    const asked = follower.reach(group, 3n)
    await follower.reach(otherGroup, 3n)
    await follower.stop()
    clock.run(10_000)
    await expect(asked).rejects.toMatchObject({ at: { code: 'PRIVATE_STATE_BEHIND', at: 0n, wanted: 3n } })
    broken = undefined
    follower = start()
    await expectRecovered()
  })
})

test('a payload that the manager fails to give again does not hold up what comes', async () => {
  const late = creation(0n)
  const key = keccak256(late)
  makeBlock(here.chain, [markerOf(0n, key)])
  await follower.reach(group, 1n)
  corrupt = key
  for (let n = 0; n < 10; n++) {
    clock.run(3_600_000)
    await idle()
  }
  makeBlock(here.chain, [mark(1n, creation(0n, 2))])
  await follower.reach(group, 2n)
  expect(statuses()).toEqual([1])
  corrupt = undefined
  hand(late)
  clock.run(3_600_000)
  while (statuses().length < 2) await idle()
  expect(statuses()).toEqual([1, 1])
})

test('a group that cannot be executed does not hold up others, and catches up', async () => {
  broken = group
  makeBlock(here.chain, [mark(0n, creation(0n))])
  makeBlock(here.chain, [mark(1n, creation(1n)), markerOf(2n, hand(creation(0n, 2, otherRecipients), otherGroup))])
  await follower.reach(otherGroup, 2n)
  expect(statuses(otherGroup)).toEqual([1])
  expect(follower.groupsBehind()).toBe(1)
  broken = undefined
  clock.run(10_000)
  await follower.reach(group, 2n)
  expect(statuses()).toEqual([1, 1])
  while (follower.groupsBehind() > 0) await idle()
})

/** A private transaction of the group that never ends. */
function endless(): Uint8Array {
  const fields = { nonce: 0n, to: undefined, data: fromHex('0x5b600056'), privateFrom: party, recipients }
  return signPrivate(fields, devSpec.chainId, new Uint8Array(32).fill(5))
}

test('a group whose code takes long does not hold up others', async () => {
  makeBlock(here.chain, [mark(0n, endless()), mark(1n, creation(0n))])
  makeBlock(here.chain, [markerOf(2n, hand(creation(0n, 2, otherRecipients), otherGroup))])
  await follower.reach(otherGroup, 2n)
  expect(statuses(otherGroup)).toEqual([1])
  // What was done of the group before was given up.
  expect([executed, statuses(), follower.groupsBehind()]).toEqual([['run'], [], 1])
  makeBlock(here.chain, [mark(3n, creation(1n)), markerOf(4n, hand(creation(1n, 2, otherRecipients), otherGroup))])
  await follower.reach(otherGroup, 3n)
  expect(statuses()).toEqual([])
  await follower.reach(group, 3n)
  expect([statuses(), statuses(otherGroup)]).toEqual([
    [0, 1, 1],
    [1, 1],
  ])
})

test('a transaction that never ends is run once, however often and in however many blocks it is marked', async () => {
  const key = hand(endless())
  for (let n = 0n; n < 6n; n += 2n) makeBlock(here.chain, [markerOf(n, key), markerOf(n + 1n, key)])
  await follower.reach(group, 3n)
  expect(statuses()).toEqual([0, 0, 0, 0, 0, 0])
  expect(executed).toEqual(['run', 'run', 'left out', 'left out', 'left out', 'left out'])
})

test('the payload of a marker that is repeated is opened once in a block', async () => {
  let looked = 0
  onLooked = () => looked++
  const key = hand(creation(0n))
  makeBlock(
    here.chain,
    Array.from({ length: 20 }, (_, n) => markerOf(BigInt(n), key)),
  )
  await follower.reach(group, 1n)
  expect(statuses()).toEqual([1, ...Array<number>(19).fill(2)])
  expect(looked).toBe(1)
})

test('a transaction that never ends on a branch that was left is run on the other one', async () => {
  const there = openTestChain(devSpec)
  const key = hand(endless())
  makeBlock(here.chain, [markerOf(0n, key)])
  await follower.reach(group, 1n)
  const others = [[], [markerOf(0n, key)]].map((txs) =>
    makeBlock(there.chain, txs, { timestamp: 1_900_000_000n + BigInt(txs.length) }),
  )
  for (const block of others) here.chain.importBlock(block)
  await follower.reach(group, 2n)
  expect(executed).toEqual(['run', 'run'])
  await there.close()
  removeFolder(there.path)
})

test.each<[string, () => Uint8Array]>([
  ['it was sent to another group than it names', () => hand(creation(0n), otherGroup)],
  ['the payload is not a private transaction', () => hand(Uint8Array.of(1, 2, 3))],
  [
    'another key than privateFrom has sealed it',
    () => {
      const key = hand(creation(0n))
      payloads.set(toBase64(key), { ...payloads.get(toBase64(key))!, senderKey: toBase64(key) })
      return key
    },
  ],
])('a payload is ignored, and said to be, if %s', async (reason, tamper) => {
  const key = tamper()
  makeBlock(here.chain, [markerOf(0n, key)])
  await follower.reach(group, 1n)
  expect([rootAt(1), rootAt(1, otherGroup)]).toEqual([emptyTrieRoot, emptyTrieRoot])
  expect(logs.lines()).toEqual([`warn the payload ${toBase64(key)} of block 1 is ignored: ${reason}`])
})

test('what was sent once, or on another chain, is invalid when it comes again', async () => {
  const payload = creation(0n)
  makeBlock(here.chain, [mark(0n, payload), mark(1n, payload), mark(2n, creation(1n, 1, recipients, 5n))])
  await follower.reach(group, 1n)
  expect(statuses()).toEqual([1, 2, 2])
})

test('a payload that comes late for a block of a branch that was left waits until the branch is back', async () => {
  const there = openTestChain(devSpec)
  const late = creation(0n)
  const key = keccak256(late)
  const left = makeBlock(here.chain, [markerOf(0n, key)])
  await follower.reach(group, 1n)
  const others = [makeBlock(there.chain, [], { timestamp: left.header.timestamp + 1n }), makeBlock(there.chain)]
  for (const block of others) here.chain.importBlock(block)
  await follower.reach(group, 2n)
  hand(late)
  follower.onArrival(key)
  await idle()
  await follower.reach(group, 2n)
  expect(statuses()).toEqual([])
  here.chain.setHead(0n)
  here.chain.importBlock(left)
  while (statuses().length === 0) await idle()
  expect(statuses()).toEqual([1])
  expect(rootAt(1)).not.toEqual(emptyTrieRoot)
  await there.close()
  removeFolder(there.path)
})
