import { expect, test } from 'vitest'
import { type ModelState, modelAccount, modelRoot } from '../../../test/support/modelState.ts'
import { downloadState, walkTrie } from '../../../test/support/snapDownload.ts'
import { addressOf, codeOf, createSnapWorld } from '../../../test/support/snapWorld.ts'
import { withTempStore } from '../../../test/support/tempStore.ts'
import { sampled } from '../../../test/support/wholeRun.ts'
import { bytesOfKey, emptyBytes, type Hash32, keyOf, zeroHash } from '../../primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp } from '../../primitives/rlp.ts'
import { verifyRange } from '../../trie/verifyRange.ts'
import { emptyTrieRoot, encodeAccount } from '../../types/account.ts'
import { createSnapAnswers } from './answers.ts'
import { snapRequests } from './messages.ts'
import { encodeRequest } from './requests.ts'
import { decodeResponse } from './responses.ts'

const maxHash = new Uint8Array(32).fill(0xff) as Hash32

function expectSame(downloaded: Awaited<ReturnType<typeof downloadState>>, model: ModelState): void {
  const accounts = new Map([...model].map(([key, account]) => [keyOf(keccak256(bytesOfKey(key))), account]))
  expect([...downloaded.accounts.keys()]).toEqual([...accounts.keys()].sort())
  for (const [key, account] of accounts) {
    expect(downloaded.accounts.get(key)).toEqual(modelAccount(account))
    const slots = [...account.slots].map(
      ([slot, value]) => [keyOf(keccak256(bytesOfKey(slot))), encodeRlp(value)] as const,
    )
    expect([...(downloaded.slots.get(key) ?? [])].sort()).toEqual(slots.sort())
  }
  for (const [key, code] of downloaded.codes) expect(keyOf(keccak256(code))).toBe(key)
}

test('a state is taken over in ranges, at the head and at earlier blocks, however long the ranges are', () =>
  withTempStore(async (store) => {
    const { ask, models, roots } = createSnapWorld(store, 1)
    for (const block of sampled([59, 20], [59, 58, 31, 7, 0]))
      for (const bytes of sampled([1, 5000], [1, 700, 5000, 1 << 20])) {
        expect(roots[block]).toEqual(modelRoot(models[block]!))
        expectSame(await downloadState(ask, roots[block]!, bytes), models[block]!)
      }
  }))

test('every node of the tries is found by its path', () =>
  withTempStore(async (store) => {
    const { ask, models, roots } = createSnapWorld(store, 2)
    for (const block of [59, 20]) {
      const root = roots[block]!
      const { accounts, slots } = await downloadState(ask, root, 1 << 20)
      const leaves = await walkTrie(ask, root, undefined, root)
      expect([...leaves.keys()].sort()).toEqual([...accounts.keys()])
      for (const [key, value] of leaves) expect(encodeAccount(accounts.get(key)!)).toEqual(value)
      for (const [key, found] of slots) {
        const { storageRoot } = accounts.get(key)!
        expect([...(await walkTrie(ask, root, bytesOfKey(key) as Hash32, storageRoot))].sort()).toEqual(
          [...found].sort(),
        )
      }
      expect(slots.size).toBe([...models[block]!.values()].filter((account) => account.slots.size > 0).length)
    }
  }))

test('a state that there is not, or not any more, is answered with nothing', () =>
  withTempStore(async (store) => {
    const { ask, roots, states } = createSnapWorld(store, 3)
    const unknown = keccak256(Uint8Array.of(1))
    const none = { accounts: [], proof: [] }
    const account = keccak256(addressOf(0))
    const ofAll = (root: Hash32) => ({ root, origin: zeroHash, limit: maxHash, bytes: 1000 })
    expect(await ask('accountRange', ofAll(unknown))).toEqual(none)
    const slots = { accounts: [account], origin: undefined, limit: undefined, bytes: 1000 }
    expect(await ask('storageRanges', { root: unknown, ...slots })).toEqual({ slots: [], proof: [] })
    expect(await ask('trieNodes', { root: unknown, sets: [[Uint8Array.of(0)]], bytes: 1000 })).toEqual([])
    expect(await ask('byteCodes', { hashes: [unknown], bytes: 1000 })).toEqual([])
    expect((await ask('accountRange', ofAll(roots[30]!))).accounts).not.toEqual([])
    store.write((txn) => states.prune(txn, 40))
    expect(await ask('accountRange', ofAll(roots[30]!))).toEqual(none)
    expect((await ask('accountRange', ofAll(roots[40]!))).accounts).not.toEqual([])
  }))

test('a state older than 1024 blocks is answered with nothing', () =>
  withTempStore(async (store) => {
    const { ask, roots, states } = createSnapWorld(store, 4)
    const ofAll = (root: Hash32) => ({ root, origin: zeroHash, limit: maxHash, bytes: 1000 })
    const last = { address: addressOf(1), wiped: false, slots: [] }
    const commit = (block: number) =>
      store.write((txn) =>
        states.commit(txn, block, {
          accounts: [{ ...last, account: { nonce: BigInt(block), balance: 0n, codeHash: emptyCodeHash } }],
          codes: [],
        }),
      )
    commit(59 + 1024)
    expect((await ask('accountRange', ofAll(roots[59]!))).accounts).not.toEqual([])
    expect(await ask('accountRange', ofAll(roots[58]!))).toEqual({ accounts: [], proof: [] })
    commit(60 + 1024)
    // No block between changed anything: this is also the state of the oldest block that is served.
    expect((await ask('accountRange', ofAll(roots[59]!))).accounts).not.toEqual([])
  }))

test('ends of ranges, and how much fits', () =>
  withTempStore(async (store) => {
    const { ask, roots } = createSnapWorld(store, 5)
    const root = roots[59]!
    const { accounts } = await ask('accountRange', { root, origin: zeroHash, limit: maxHash, bytes: 1 << 20 })
    const hashes = accounts.map(({ hash }) => hash)
    // The first account at or after the limit ends a range; there is always one.
    const upTo = await ask('accountRange', { root, origin: hashes[3]!, limit: hashes[5]!, bytes: 1 << 20 })
    expect(upTo.accounts.map(({ hash }) => hash)).toEqual(hashes.slice(3, 6))
    const reversed = await ask('accountRange', { root, origin: hashes[5]!, limit: hashes[3]!, bytes: 1 << 20 })
    expect(reversed.accounts.map(({ hash }) => hash)).toEqual([hashes[5]])
    const end = await ask('accountRange', { root, origin: maxHash, limit: maxHash, bytes: 0 })
    expect(end.accounts).toEqual([])
    expect(verifyRange({ root, origin: maxHash, entries: [], proof: end.proof })).toEqual({ more: false })

    const withSlots = accounts.filter(({ account }) => !Buffer.from(account.storageRoot).equals(emptyTrieRoot))
    const owners = withSlots.map(({ hash }) => hash)
    const all = await ask('storageRanges', {
      root,
      accounts: owners,
      origin: undefined,
      limit: undefined,
      bytes: 1 << 20,
    })
    expect(all.slots.length).toBe(owners.length)
    expect(all.proof).toEqual([])
    const large = withSlots.findIndex((_, i) => all.slots[i]!.length > 20)
    const slots = all.slots[large]!.map(({ hash }) => hash)
    // A limit that cuts slots off needs a proof, too, although the range begins with the first slot.
    const cut = await ask('storageRanges', {
      root,
      accounts: [owners[large]!, owners[0]!],
      origin: undefined,
      limit: slots[4]!,
      bytes: 1 << 20,
    })
    expect(cut.slots.map((list) => list.map(({ hash }) => hash))).toEqual([slots.slice(0, 5)])
    expect(
      verifyRange({
        root: withSlots[large]!.account.storageRoot,
        origin: zeroHash,
        entries: cut.slots[0]!.map(({ hash, data }) => [hash, data]),
        proof: cut.proof,
      }),
    ).toEqual({ more: true })
    const beyond = { root, accounts: [owners[large]!], origin: maxHash, limit: undefined, bytes: 1000 }
    const nothing = await ask('storageRanges', beyond)
    expect(nothing.slots).toEqual([])
    expect(nothing.proof.length).toBeGreaterThan(0)
    // An account that does not exist ends the list: what follows would be taken for its slots.
    const gap = [owners[0]!, keccak256(Uint8Array.of(9)), owners[1]!]
    expect((await ask('storageRanges', { ...beyond, accounts: gap, origin: undefined })).slots.length).toBe(1)
  }))

test('code and nodes that there are not', () =>
  withTempStore(async (store) => {
    const { ask, roots } = createSnapWorld(store, 6)
    const root = roots[59]!
    const known = keccak256(codeOf(2))
    const unknown = keccak256(Uint8Array.of(1, 2, 3))
    const hashes = [unknown, known, emptyCodeHash]
    expect(await ask('byteCodes', { hashes, bytes: 1 << 20 })).toEqual([codeOf(2), emptyBytes])
    expect(await ask('byteCodes', { hashes: [known, known], bytes: 1 })).toEqual([codeOf(2)])
    const [node] = await ask('trieNodes', { root, sets: [[emptyBytes]], bytes: 1 })
    expect(keccak256(node!)).toEqual(root)
    const paths = ['20', '00ff00ff00ff00ff', '1f1f1f1f', '40', '01'].map(
      (hex) => new Uint8Array(Buffer.from(hex, 'hex')),
    )
    const sets = paths.map((path) => [path])
    expect(await ask('trieNodes', { root, sets, bytes: 1 << 20 })).toEqual(paths.map(() => emptyBytes))
    const others = [[emptyBytes], [Uint8Array.of(1), Uint8Array.of(0)], [new Uint8Array(60)]]
    expect(await ask('trieNodes', { root, sets: others, bytes: 1 << 20 })).toEqual([node, emptyBytes])
    const many = Array.from({ length: 3000 }, () => [Uint8Array.of(0)])
    expect((await ask('trieNodes', { root, sets: many, bytes: 1 << 30 })).length).toBeLessThanOrEqual(1024)
  }))

test('a response that takes long ends early', () =>
  withTempStore(async (store) => {
    const { states, roots } = createSnapWorld(store, 7)
    let time = 0
    const answers = createSnapAnswers({ store, states, now: () => (time += 200) })
    const request = { root: roots[59]!, origin: zeroHash, limit: maxHash, bytes: 1 << 20 }
    const response = answers(snapRequests.accountRange, encodeRequest('accountRange', 1n, request))
    expect(decodeResponse('accountRange', response).message.accounts.length).toBe(3)
    expect(() => answers(1, response)).toThrow('a response that nothing asked for')
  }))
