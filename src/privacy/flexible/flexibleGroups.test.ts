import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type FlexibleCall } from '../../../test/support/flexibleCalls.ts'
import { type Parties, type Party, startParties } from '../../../test/support/flexibleParties.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import { toBase64 } from '../enclave/base64.ts'
import { splitMarker } from '../sending/markers.ts'
import { decodeHistory, encodeHistory } from './history.ts'
import { decodeVersionedTx, encodeVersionedTx } from './versionedTx.ts'

const group = new Uint8Array(32).fill(0xaa)

let all: Parties
let [a, b, c, d] = [] as unknown as [Party, Party, Party, Party]

beforeEach(() => {
  all = startParties(4)
  ;[a, b, c, d] = all.parties as [Party, Party, Party, Party]
})

afterEach(() => all.close())

/** Sends to the group in a block of its own; from a, which owns it, unless it is said. Returns the marker. */
async function run(call: FlexibleCall, from: Party = a): Promise<Hash32> {
  const [marker] = await all.mine(await from.distribute(group, call))
  return marker!
}

/** Resolves when a party has heard that it is a member. */
async function joined(party: Party): Promise<void> {
  while (!(await party.members(group))) await new Promise((resolve) => setImmediate(resolve))
}

const names = (...parties: readonly Party[]) => parties.map(({ key }) => toBase64(key))

/** The roots of the group at every block up to the head. */
function rootsAt(party: Party, from = 0): string[] {
  const head = Number(all.view().head.header.number)
  return Array.from({ length: head + 1 - from }, (_, i) => toBase64(party.rootAt(group, from + i)))
}

test('the first addition makes the group; its members agree, others have nothing', async () => {
  await run(calls.add(a.key, b.key))
  await run(calls.deploy, b)
  expect(await a.members(group)).toEqual(names(a, b))
  expect(rootsAt(b)).toEqual(rootsAt(a))
  expect(a.rootAt(group, 2)).not.toEqual(a.rootAt(group, 1))
  expect(c.rootAt(group, 2)).toEqual(emptyTrieRoot)
  expect(await c.members(group)).toBeUndefined()
  expect(await a.flexible.findByMembers(names(b))).toHaveLength(1)
  expect(await a.flexible.findByMembers(names(c))).toEqual([])
  expect(await c.flexible.findByMembers([])).toEqual([])
})

test('a transaction without its group, to a group that does not exist, or of a stranger is not sent', async () => {
  await expect(a.distribute(group, calls.deploy)).rejects.toMatchObject({ at: { code: 'FLEXIBLE_GROUP_UNKNOWN' } })
  await expect(a.distribute(group, calls.add(b.key))).rejects.toMatchObject({ at: { code: 'FLEXIBLE_GROUP_UNKNOWN' } })
  await run(calls.add(a.key, b.key))
  await expect(c.distribute(group, calls.lock)).rejects.toMatchObject({ at: { code: 'FLEXIBLE_GROUP_UNKNOWN' } })
})

test('a locked group executes management only', async () => {
  await run(calls.add(a.key, b.key))
  await run(calls.lock)
  const refused = await run(calls.deploy)
  expect(await a.status(refused)).toBeUndefined()
  expect(a.rootAt(group, 3)).toEqual(a.rootAt(group, 2))
})

test('a transaction for another version of the group is not executed', async () => {
  await run(calls.add(a.key, b.key, c.key))
  const removal = await a.distribute(group, calls.remove(c.key))
  const [one, two] = [
    await b.distribute(group, { ...calls.deploy, account: 8n }),
    await b.distribute(group, { ...calls.deploy, account: 9n }),
  ]
  const [before, , after] = await all.mine(one, removal, two)
  expect(await a.status(before!)).toBe(1)
  expect(await a.status(after!)).toBeUndefined()
  expect(rootsAt(b)).toEqual(rootsAt(a))
})

test('a new member executes the history, and goes on with the others', async () => {
  await run(calls.add(a.key, b.key))
  const before = await run(calls.deploy)
  await run(calls.lock)
  const addition = await a.distribute(group, calls.add(c.key))
  expect(splitMarker(addition).historyKey).toBeDefined()
  await all.mine(addition)
  await run({ ...calls.deploy, account: 8n }, c)
  expect(await c.members(group)).toEqual(names(a, b, c))
  expect(rootsAt(c)).toEqual(rootsAt(a))
  expect(await c.status(before)).toBe(1)
  expect(await d.status(before)).toBeUndefined()

  // What c hands on comes partly from the history that it got itself.
  await run(calls.lock)
  await run(calls.add(d.key), c)
  expect(rootsAt(d)).toEqual(rootsAt(a))
})

test('an addition that cannot succeed gives no history away', async () => {
  await run(calls.add(a.key, b.key))
  const open = await a.distribute(group, calls.add(c.key))
  expect(splitMarker(open).historyKey).toBeUndefined()
  await all.mine(open)
  await run(calls.lock)
  const stranger = await b.distribute(group, { ...calls.add(c.key), account: 8n })
  expect(splitMarker(stranger).historyKey).toBeUndefined()
  await all.mine(stranger)
  expect(await c.members(group)).toBeUndefined()
})

test('a removed member keeps what it had and learns nothing new, until it is added again', async () => {
  await run(calls.add(a.key, b.key, c.key))
  await run(calls.remove(c.key))
  const own = c.rootAt(group, 2)
  const secret = await run(calls.deploy)
  expect(await c.privacy.find(all.view(), secret)).toBeUndefined()
  expect(c.rootAt(group, 3)).toEqual(own)
  expect(a.rootAt(group, 3)).not.toEqual(own)
  await expect(c.distribute(group, calls.deploy)).rejects.toMatchObject({ at: { code: 'FLEXIBLE_GROUP_UNKNOWN' } })

  await run(calls.lock)
  await run(calls.add(c.key))
  await run(calls.deploy)
  // What c has executed before stays: at block 3 it was not a member.
  expect(rootsAt(c)).toEqual(rootsAt(a))
  expect(await c.status(secret)).toBe(1)
})

test('a history that leads elsewhere, or is not in the chain, is refused as a whole', async () => {
  await run(calls.add(a.key, b.key))
  await run(calls.deploy)
  await run(calls.lock)
  const addition = await a.distribute(group, calls.add(c.key))
  const key = toBase64(splitMarker(addition).historyKey!)
  const honest = decodeHistory((await a.enclave.receive(splitMarker(addition).historyKey!)).payload)
  const [first, ...rest] = honest
  const tampered = [
    encodeHistory([{ ...first!, root: emptyTrieRoot }, ...rest]),
    encodeHistory([{ ...first!, tx: { ...first!.tx, nonce: 5n } }, ...rest]),
    encodeHistory([...rest, first!]),
    encodeHistory([{ ...first!, marker: emptyTrieRoot }, ...rest]),
    Uint8Array.of(1, 2, 3),
  ]
  for (const payload of tampered) {
    all.replaced.set(key, payload)
    await all.mine(addition)
    expect(new Set(rootsAt(c))).toEqual(new Set([toBase64(emptyTrieRoot)]))
  }
  all.replaced.delete(key)
  await all.mine(addition)
  expect(c.rootAt(group, 3)).toEqual(a.rootAt(group, 3))
})

test('a history or an addition that is lost at first is executed in its place when it comes', async () => {
  await run(calls.add(a.key, b.key))
  await run(calls.deploy)
  await run(calls.lock)
  const addition = await a.distribute(group, calls.add(c.key, d.key))
  const { key, historyKey } = splitMarker(addition)
  all.lost.add(toBase64(historyKey!))
  await all.mine(addition)
  await run({ ...calls.deploy, account: 8n })
  expect(new Set([...rootsAt(c), ...rootsAt(d)])).toEqual(new Set([toBase64(emptyTrieRoot)]))
  all.lost.clear()
  c.follower.onArrival(key)
  await joined(c)
  await all.mine()
  expect(rootsAt(c)).toEqual(rootsAt(a))
  expect(await c.members(group)).toEqual(names(a, b, c, d))

  // A node that starts again asks for all that was missing.
  await d.follower.stop()
  d.follower.start()
  await joined(d)
  await all.mine()
  expect(rootsAt(d)).toEqual(rootsAt(a))
})

test('transactions and histories survive encoding', async () => {
  await run(calls.add(a.key, b.key))
  const { tx } = decodeVersionedTx((await a.enclave.receive(await a.distribute(group, calls.lock))).payload)
  const version = new Uint8Array(32).fill(3)
  expect(decodeVersionedTx(encodeVersionedTx({ tx, version }))).toEqual({ tx, version })
  const past = { tx, marker: emptyTrieRoot, root: emptyTrieRoot }
  expect(decodeHistory(encodeHistory([past, past]))).toEqual([past, past])
})
