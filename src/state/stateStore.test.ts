import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyToModel,
  type ModelState,
  modelAccount,
  modelRoot,
  sampleAddresses,
  sampleSlots,
} from '../../test/support/modelState.ts'
import { withTempStore } from '../../test/support/tempStore.ts'
import { verifyProof } from '../../test/support/verifyProof.ts'
import { isWholeRun, sampled } from '../../test/support/wholeRun.ts'
import { type Address, compareBytes, emptyBytes, type Hash32, keyOf, zeroHash } from '../primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../primitives/keccak.ts'
import { bigIntToFixed, toWord } from '../primitives/u256.ts'
import { publicState } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Reader } from '../store/table.ts'
import { emptyTrieRoot, encodeAccount } from '../types/account.ts'
import { noChanges, type StateChanges } from '../types/stateChanges.ts'
import { StateError } from './fault.ts'
import { createStateStore, type StateStore } from './stateStore.ts'
import type { StateView } from './view.ts'

type Step =
  | { do: 'commit'; changes: StateChanges; gap: number }
  | { do: 'unwind'; by: number }
  | { do: 'prune'; keep: number }

const slotChange = fc.record({
  slot: fc.constantFrom(...sampleSlots),
  value: fc.oneof(fc.constant(0n), fc.constantFrom(1n, 255n, 1n << 255n), fc.bigInt(1n, 1n << 64n)).map(toWord),
})
const fields = fc.record({
  nonce: fc.bigInt(0n, 300n),
  balance: fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, (1n << 256n) - 1n)),
  codeHash: fc.constantFrom(emptyCodeHash, keccak256(Uint8Array.of(1))),
})
const accountChange = fc.record({
  address: fc.constantFrom(...sampleAddresses),
  account: fc.option(fields, { nil: undefined, freq: 4 }),
  wiped: fc.boolean(),
  slots: fc.uniqueArray(slotChange, { selector: ({ slot }) => keyOf(slot), maxLength: 5 }),
})
const changes: fc.Arbitrary<StateChanges> = fc
  .uniqueArray(accountChange, { selector: ({ address }) => keyOf(address), maxLength: 4 })
  .map((accounts) => ({ accounts, codes: [] }))
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('commit' as const), changes, gap: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unwind' as const), by: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const), keep: fc.nat(4) }) },
)

function expectState(view: StateView, model: ModelState): void {
  for (const address of sampleAddresses) {
    const want = model.get(keyOf(address))
    expect(view.account(address)).toEqual(want && modelAccount(want))
    for (const slot of sampleSlots)
      expect(view.storage(address, slot)).toEqual(want?.slots.get(keyOf(slot)) ?? emptyBytes)
  }
}

function expectRanges(view: StateView, model: ModelState): void {
  const byHash = <T extends { hash: Uint8Array }>(list: T[]) => list.sort((a, b) => compareBytes(a.hash, b.hash))
  const accounts = sampleAddresses.filter((address) => model.has(keyOf(address)))
  expect(view.accountRange(zeroHash, 100)).toEqual({
    next: undefined,
    entries: byHash(
      accounts.map((address) => ({
        hash: keccak256(address),
        address,
        account: modelAccount(model.get(keyOf(address))!),
      })),
    ),
  })
  for (const address of accounts) {
    const { slots } = model.get(keyOf(address))!
    const entries = byHash(
      sampleSlots
        .filter((slot) => slots.has(keyOf(slot)))
        .map((slot) => ({ hash: keccak256(slot), slot, value: slots.get(keyOf(slot))! })),
    )
    const all = view.storageRange(keccak256(address), zeroHash, 100)
    expect(all).toEqual({ next: undefined, entries })
    if (entries.length < 2) continue
    const part = view.storageRange(keccak256(address), zeroHash, 1)
    expect(part).toEqual({ next: entries[1]!.hash, entries: entries.slice(0, 1) })
    expect(view.storageRange(keccak256(address), part.next!, 100).entries).toEqual(entries.slice(1))
  }
}

function expectProofs(view: StateView, model: ModelState): void {
  const root = modelRoot(model)
  for (const address of sampleAddresses) {
    const want = model.get(keyOf(address))
    const { account, proof, slots } = view.proof(address, sampleSlots)
    expect(verifyProof(root, keccak256(address), proof)).toEqual(account && encodeAccount(account))
    expect(account).toEqual(want && modelAccount(want))
    for (const { slot, value, proof: slotProof } of slots) {
      expect(value).toEqual(want?.slots.get(keyOf(slot)) ?? emptyBytes)
      const shown = verifyProof(account?.storageRoot ?? emptyTrieRoot, keccak256(slot), slotProof)
      expect(shown === undefined).toBe(value.length === 0)
    }
  }
}

/** Plays the steps on a state and on a model of every block, and compares all blocks that can be read. */
function play(store: Store, states: StateStore, steps: readonly Step[]): void {
  const models = new Map<number, ModelState>([[0, new Map()]])
  let head = 0
  let floor = 0
  for (const step of steps) {
    if (step.do === 'commit') {
      const before = models.get(head)!
      const after = applyToModel(before, step.changes)
      for (let i = 1; i <= step.gap; i++) models.set(head + i, before)
      head += step.gap + 1
      models.set(head, after)
      const expected = store.read((reader) => states.rootOf(reader, step.changes))
      const root = store.write((txn) => states.commit(txn, head, step.changes))
      expect(root).toEqual(modelRoot(after))
      expect(root).toEqual(expected)
    } else if (step.do === 'unwind') {
      const target = Math.max(floor, head - step.by)
      store.write((txn) => states.unwind(txn, target))
      for (let block = target + 1; block <= head; block++) models.delete(block)
      head = target
    } else {
      const lowest = head - step.keep
      store.write((txn) => states.prune(txn, lowest))
      // The last block with changes is not pruned away, even if others without any have followed.
      floor = Math.max(floor, Math.min(lowest, store.read(states.head)?.block ?? 0))
    }
    store.read((reader) => {
      for (let block = floor; block <= head; block++) expectState(states.at(reader, block), models.get(block)!)
      expectState(states.at(reader, 'latest'), models.get(head)!)
      if (floor > 0) expect(() => states.at(reader, floor - 1)).toThrow(StateError)
    })
  }
  store.read((reader) => {
    for (let block = floor; block <= head; block++) {
      expectRanges(states.at(reader, block), models.get(block)!)
      expectProofs(states.at(reader, block), models.get(block)!)
    }
  })
}

describe('a state equals its model at every block, through commits, unwinds and prunings', () => {
  test('of the chain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), (steps) =>
        withTempStore((store) => play(store, createStateStore(store), steps)),
      ),
      { numRuns: sampled(4, 8) },
    )
  })

  test('of privacy groups that share their tables', async () => {
    await withTempStore((store) => {
      let group = 0
      fc.assert(
        fc.property(fc.array(step, { minLength: 5, maxLength: 20 }), (steps) => {
          // Neighbours in the tables, the last of them followed by nothing.
          play(store, createStateStore(store, Uint8Array.of(0xff, 0xff - group++)), steps)
        }),
        { numRuns: sampled(4, 15) },
      )
    })
  })
})

describe('a key that changes in every block', () => {
  const address = sampleAddresses[0]!
  const other = sampleAddresses[1]!
  const slot = sampleSlots[2]!
  const at = (block: number): StateChanges => ({
    accounts: [address, other].map((address) => ({
      address,
      account: { nonce: BigInt(block), balance: 7n, codeHash: emptyCodeHash },
      wiped: false,
      slots: sampleSlots.map((slot, i) => ({ slot, value: toWord(BigInt(block % (i + 2))) })),
    })),
    codes: [],
  })
  const modelsTo = (head: number): ModelState[] => {
    const models: ModelState[] = [new Map()]
    for (let block = 1; block <= head; block++) models.push(applyToModel(models[block - 1]!, at(block)))
    return models
  }

  test('is read and proven at each block, also where its list of blocks was split and taken back', async () => {
    await withTempStore((store) => {
      const states = createStateStore(store)
      const models = modelsTo(300)
      store.write((txn) => states.commit(txn, 0, noChanges))
      for (let block = 1; block <= 300; block++) store.write((txn) => states.commit(txn, block, at(block)))
      const check = (from: number, to: number) =>
        store.read((reader) => {
          for (let block = from; block <= to; block += sampled(7, 1)) {
            const view = states.at(reader, block)
            expectState(view, models[block]!)
            if (block % 3 === 0) expectProofs(view, models[block]!)
          }
        })
      check(0, 300)
      store.write((txn) => states.unwind(txn, 110))
      check(0, 110)
      expect(store.read(states.head)).toEqual({ block: 110, root: modelRoot(models[110]!) })
      for (let block = 111; block <= 260; block++)
        expect(store.write((txn) => states.commit(txn, block, at(block)))).toEqual(modelRoot(models[block]!))
      check(0, 260)
      store.write((txn) => states.prune(txn, 200))
      check(200, 260)
      store.write((txn) => states.unwind(txn, 200))
      check(200, 200)
      expect(() => store.write((txn) => states.unwind(txn, 199))).toThrow(StateError)
    })
  })

  test('one that was gone when its past was pruned, and comes again in a block that is undone, leaves nothing', async () => {
    await withTempStore((store) => {
      const states = createStateStore(store)
      const gone: StateChanges = {
        accounts: [address, other].map((address) => ({ address, account: undefined, wiped: true, slots: [] })),
        codes: [],
      }
      store.write((txn) => states.commit(txn, 0, noChanges))
      for (const [block, changes] of [at(1), gone, noChanges, at(4), noChanges].entries())
        store.write((txn) => states.commit(txn, block + 1, changes))
      store.write((txn) => states.prune(txn, 3))
      store.write((txn) => states.unwind(txn, 3))
      store.read((reader) => {
        const { accounts, slots, branches } = publicState
        for (const table of [accounts, slots, branches])
          expect([table.name, [...reader.range(table, {})].length]).toEqual([table.name, 0])
      })
    })
  })

  test('a proof of the past reads no chunks of other branches', async () => {
    await withTempStore((store) => {
      const states = createStateStore(store)
      const many = Array.from({ length: 64 }, (_, i) => keccak256(Uint8Array.of(i)).slice(12) as Uint8Array as Address)
      const commit = (block: number) =>
        store.write((txn) =>
          states.commit(txn, block, {
            accounts: many.map((address) => ({
              address,
              account: { nonce: BigInt(block), balance: 7n, codeHash: emptyCodeHash },
              wiped: false,
              slots: [],
            })),
            codes: [],
          }),
        )
      const rowsRead = (at: number) => {
        let rows = 0
        store.read((reader) => {
          const counting: Reader = {
            ...reader,
            *range(table, range) {
              for (const row of reader.range(table, range)) {
                if (table.name === publicState.branchChunks.name) rows++
                yield row
              }
            },
          }
          states.at(counting, at).proof(many[0]!, [])
        })
        return rows
      }
      for (let block = 0; block <= 400; block++) commit(block)
      // Two chunks for each of the few branches of a path; there are 17 branches with three chunks each.
      expect(rowsRead(399)).toBe(0)
      expect(rowsRead(200)).toBeLessThan(9)
    })
  })

  test('leaves nothing of the past behind when everything is pruned', async () => {
    await withTempStore((store) => {
      const states = createStateStore(store)
      store.write((txn) => states.commit(txn, 0, noChanges))
      for (let block = 1; block <= 250; block++) store.write((txn) => states.commit(txn, block, at(block)))
      const gone = [address, other].map((address) => ({ address, account: undefined, wiped: true, slots: [] }))
      store.write((txn) => states.commit(txn, 251, { accounts: gone, codes: [] }))
      expect(store.read((reader) => states.at(reader, 250).storage(address, slot))).toEqual(Uint8Array.of(250 % 4))
      store.write((txn) => states.prune(txn, 251))
      store.read((reader) => {
        for (const table of Object.values(publicState)) {
          const rows = [...reader.range(table, {})].length
          expect([table.name, rows]).toEqual([
            table.name,
            table === publicState.floor || table === publicState.roots ? 1 : 0,
          ])
        }
      })
    })
  })
})

test('pruning keeps the head, and the root of a floor between two commits', async () => {
  await withTempStore((store) => {
    const states = createStateStore(store, Uint8Array.of(7))
    const write = (block: number) =>
      store.write((txn) =>
        states.commit(txn, block, {
          accounts: [
            {
              address: sampleAddresses[0]!,
              account: { nonce: BigInt(block), balance: 0n, codeHash: emptyCodeHash },
              wiped: false,
              slots: [],
            },
          ],
          codes: [],
        }),
      )
    const roots = [10, 20, 30].map(write)
    store.write((txn) => states.prune(txn, 25))
    store.write((txn) => states.unwind(txn, 25))
    expect(store.read(states.head)).toEqual({ block: 20, root: roots[1] })
    expect(write(30)).toEqual(roots[2])
    store.write((txn) => states.prune(txn, 1000))
    expect(store.read(states.head)).toEqual({ block: 30, root: roots[2] })
    expect(() => store.read((reader) => states.at(reader, 29))).toThrow(StateError)
    expect(store.read((reader) => states.at(reader, 1000).account(sampleAddresses[0]!)?.nonce)).toBe(30n)
  })
})

test('code is stored once by its hash', async () => {
  await withTempStore((store) => {
    const states = createStateStore(store)
    const code = Uint8Array.of(0x60, 0)
    const hash = keccak256(code)
    store.write((txn) => states.commit(txn, 0, { accounts: [], codes: [{ hash, code }] }))
    store.read((reader) => {
      expect(states.at(reader, 'latest').code(hash)).toEqual(code)
      expect(states.at(reader, 'latest').code(emptyCodeHash)).toEqual(emptyBytes)
      expect(() => states.at(reader, 'latest').code(zeroHash)).toThrow('code of an account is missing')
    })
  })
})

test('a block must follow the head', async () => {
  await withTempStore((store) => {
    const states = createStateStore(store)
    store.write((txn) => states.commit(txn, 5, noChanges))
    expect(() => store.write((txn) => states.commit(txn, 5, noChanges))).toThrow(RangeError)
  })
})

test('the root of an allocation is known before anything is stored', async () => {
  await withTempStore((store) => {
    const states = createStateStore(store)
    const allocation: StateChanges = {
      accounts: sampleAddresses.map((address, i) => ({
        address,
        account: { nonce: 0n, balance: BigInt(i), codeHash: emptyCodeHash },
        wiped: false,
        slots: [{ slot: sampleSlots[i]!, value: toWord(BigInt(i)) }],
      })),
      codes: [],
    }
    const root = states.rootOfFresh(allocation)
    expect(root).toEqual(modelRoot(applyToModel(new Map(), allocation)))
    expect(store.write((txn) => states.commit(txn, 0, allocation))).toEqual(root)
    expect(states.rootOfFresh(allocation)).toEqual(root)
  })
})

// In the whole run only: it takes as long as all others here.
test.runIf(isWholeRun)('one change may write more slots of an account than a call takes arguments', async () => {
  await withTempStore((store) => {
    const states = createStateStore(store)
    const address = sampleAddresses[0]!
    const slots = Array.from({ length: 150_000 }, (_, i) => ({
      slot: bigIntToFixed(BigInt(i), 32) as Hash32,
      value: toWord(1n),
    }))
    const account = { nonce: 0n, balance: 1n, codeHash: emptyCodeHash }
    const changes = { accounts: [{ address, account, wiped: false, slots }], codes: [] }
    const root = store.write((txn) => states.commit(txn, 0, changes))
    expect(states.rootOfFresh(changes)).toEqual(root)
    store.read((reader) => {
      expect(states.at(reader, 'latest').storage(address, slots.at(-1)!.slot)).toEqual(Uint8Array.of(1))
    })
    const wiped = { accounts: [{ address, account: undefined, wiped: true, slots: [] }], codes: [] }
    expect(store.write((txn) => states.commit(txn, 1, wiped))).toEqual(emptyTrieRoot)
  })
})

test('a reader of another store is refused', async () => {
  await withTempStore((store) =>
    withTempStore((other) => {
      const states = createStateStore(store)
      expect(() => other.read((reader) => states.rootOf(reader, noChanges))).toThrow(TypeError)
    }),
  )
})
