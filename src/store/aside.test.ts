import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withTempFolder, withTempStore } from '../../test/tempStore.ts'
import { mappedBytes } from './mappedBytes.ts'
import { openStore, type Store } from './openStore.ts'
import { meta, publicState } from './schema.ts'
import type { Range, Reader, Transaction } from './table.ts'

const { slots, slotHistory, accounts } = publicState
const key = (n: number) => Uint8Array.of(n)

async function startAside(store: Store) {
  await store.aside!.start()
  return store.aside!
}

type Step =
  | { readonly put: readonly [key: number, value: number] }
  | { readonly remove: number }
  | { readonly append: number }

const byte = fc.integer({ min: 1, max: 40 })
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ put: fc.tuple(byte, byte) }),
  fc.record({ remove: byte }),
  fc.record({ append: byte }),
)
const edge = fc.option(byte, { nil: undefined })
const look = fc.record({ from: edge, to: edge, reverse: fc.boolean(), limit: fc.option(fc.nat(5), { nil: undefined }) })
const transaction = fc.record({ steps: fc.array(step, { maxLength: 30 }), looks: fc.array(look) })

interface Look {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly reverse: boolean
  readonly limit: number | undefined
}

function rangeOf({ from, to, reverse, limit }: Look): Range<Uint8Array> {
  return {
    ...(reverse && { reverse }),
    ...(from !== undefined && { from: key(from) }),
    ...(to !== undefined && { to: key(to) }),
    ...(limit !== undefined && { limit }),
  }
}

/** Appended keys rise through all transactions. */
function perform(txn: Transaction, steps: readonly Step[], nextKey: () => number): void {
  for (const one of steps) {
    if ('put' in one) txn.put(slots, key(one.put[0]), new Uint8Array(one.put[1] ** 2).fill(one.put[1]))
    else if ('remove' in one) txn.remove(slots, key(one.remove))
    else txn.append(slotHistory, Uint8Array.of(nextKey() >> 8, nextKey() & 255), key(one.append))
  }
}

function seenBy(reader: Reader, looks: readonly Look[]) {
  return {
    all: [...reader.range(slots, {})],
    got: Array.from({ length: 41 }, (_, n) => reader.get(slots, key(n + 1))),
    appended: [...reader.range(slotHistory, { reverse: true })],
    ranges: looks.map((one) => [...reader.range(slots, rangeOf(one))]),
  }
}

describe('writing aside', () => {
  test('reads in drafts, and leaves on disk, what writing at once would', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { minLength: 1, maxLength: 5 }), (transactions) =>
        withTempFolder(async (folder) => {
          const plain = openStore(join(folder, 'plain'))
          const other = openStore(join(folder, 'aside'))
          const aside = await startAside(other)
          let next = 0
          for (const { steps, looks } of transactions) {
            const from = next
            const seen = plain.write((txn) => {
              perform(txn, steps, () => next++)
              return seenBy(txn, looks)
            })
            next = from
            const draft = aside.openDraft()
            perform(draft.txn, steps, () => next++)
            expect(seenBy(draft.txn, looks)).toEqual(seen)
            await aside.write(draft)!.ended
            expect(other.read((reader) => seenBy(reader, looks))).toEqual(seen)
          }
          await Promise.all([plain.close(), other.close()])
        }),
      ),
      { numRuns: 15 },
    )
  })

  test('shows what was before until it is on disk, and everything at once then', () =>
    withTempStore(async (store) => {
      const aside = await startAside(store)
      store.write((txn) => txn.put(slots, key(1), key(1)))
      const draft = aside.openDraft()
      for (let n = 1; n < 200; n++) draft.txn.put(slots, key(n), key(2))
      const write = aside.write(draft)!
      const all = () => store.read((reader) => [...reader.range(slots, {})].map(([, value]) => value[0]))
      for (let i = 0; i < 100 && write.isWritten() === undefined; i++) {
        expect(all()).toEqual([1])
        await new Promise(setImmediate)
      }
      await write.ended
      expect(all()).toEqual(Array.from({ length: 199 }, () => 2))
    }))

  test('whoever writes at once comes after it', () =>
    withTempStore(async (store) => {
      const aside = await startAside(store)
      const draft = aside.openDraft()
      draft.txn.put(slots, key(1), key(1))
      const write = aside.write(draft)!
      const found = store.write((txn) => {
        const before = txn.get(slots, key(1))
        txn.put(slots, key(1), key(9))
        return before
      })
      expect([found, write.isWritten()]).toEqual([key(1), true])
      expect(store.read((reader) => reader.get(slots, key(1)))).toEqual(key(9))
      await write.ended
    }))

  test('of two, the second has to wait', () =>
    withTempStore(async (store) => {
      const aside = await startAside(store)
      const [first, second] = [aside.openDraft(), aside.openDraft()]
      first.txn.put(slots, key(1), key(1))
      second.txn.put(accounts, key(1), key(1))
      const write = aside.write(first)!
      expect(aside.write(second)).toBeUndefined()
      await write.ended
      await aside.write(second)!.ended
      expect(store.read((reader) => reader.get(accounts, key(1)))).toEqual(key(1))
    }))

  test('a draft is outdated once a table that it read or wrote is written', () =>
    withTempStore(async (store) => {
      const aside = await startAside(store)
      const draft = aside.openDraft()
      draft.txn.get(slots, key(1))
      draft.txn.put(slotHistory, key(1), key(1))
      store.write((txn) => txn.put(accounts, key(1), key(1)))
      expect(draft.isCurrent()).toBe(true)
      store.write((txn) => txn.put(slots, key(2), key(2)))
      expect([draft.isCurrent(), aside.write(draft)]).toEqual([false, undefined])
    }))

  test('what cannot be written is told, and leaves nothing behind', () =>
    withTempStore(async (store) => {
      const aside = await startAside(store)
      store.write((txn) => txn.put(meta, 'owner', new TextEncoder().encode('{"pid":1,"started":"","token":"x"}')))
      const draft = aside.openDraft()
      draft.txn.put(slots, key(1), key(1))
      const write = aside.write(draft)!
      await expect(write.ended).rejects.toThrow('is in use')
      expect([write.isWritten(), store.read((reader) => reader.get(slots, key(1)))]).toEqual([false, undefined])
    }))

  test('a store that is mapped anew is written on', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder, { maxMapped: mappedBytes() + (4 << 20) })
      const aside = await startAside(store)
      for (let n = 1; n < 30; n++) {
        const draft = aside.openDraft()
        for (let i = 0; i < 100; i++) draft.txn.put(slots, Uint8Array.of(n, i), new Uint8Array(4000).fill(n))
        await aside.write(draft)!.ended
      }
      expect(store.read((reader) => [...reader.range(slots, {})].length)).toBe(2900)
      await store.close()
    }))
})
