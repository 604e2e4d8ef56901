import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testStore } from '../../test/support/storeSuite.ts'
import { withTempFolder } from '../../test/tempStore.ts'
import { openStore } from './openStore.ts'
import { meta, publicState } from './schema.ts'
import type { Range, Reader, Transaction } from './table.ts'
import { openWriteBehind } from './writeBehind.ts'

const { slots, slotHistory } = publicState

testStore('a store that writes behind', openWriteBehind)

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
const look = fc.record({ a: edge, b: edge, reverse: fc.boolean(), limit: fc.option(fc.nat(5), { nil: undefined }) })
const transaction = fc.record({ steps: fc.array(step, { maxLength: 12 }), fails: fc.boolean(), looks: fc.array(look) })

/** Appended keys rise through all transactions. */
function perform(txn: Transaction, steps: readonly Step[], nextKey: () => number): void {
  for (const one of steps) {
    if ('put' in one) txn.put(slots, Uint8Array.of(one.put[0]), Uint8Array.of(one.put[1]))
    else if ('remove' in one) txn.remove(slots, Uint8Array.of(one.remove))
    else txn.append(slotHistory, Uint8Array.of(nextKey()), Uint8Array.of(one.append))
  }
}

interface Look {
  readonly a: number | undefined
  readonly b: number | undefined
  readonly reverse: boolean
  readonly limit: number | undefined
}

function rangeOf({ a, b, reverse, limit }: Look): Range<Uint8Array> {
  const low = a === undefined || b === undefined ? a : Math.min(a, b)
  const high = a === undefined || b === undefined ? b : Math.max(a, b)
  const [from, to] = reverse ? [high, low] : [low, high]
  return {
    reverse,
    ...(from !== undefined && { from: Uint8Array.of(from) }),
    ...(to !== undefined && { to: Uint8Array.of(to) }),
    ...(limit !== undefined && { limit }),
  }
}

function seenBy(reader: Reader, looks: readonly Look[]) {
  const all = [...reader.range(slots, {})]
  return {
    all,
    got: Array.from({ length: 41 }, (_, n) => reader.get(slots, Uint8Array.of(n + 1))),
    appended: [...reader.range(slotHistory, { reverse: true })],
    ranges: looks.map((one) => [...reader.range(slots, rangeOf(one))]),
  }
}

describe('writing behind', () => {
  test('shows at each moment, and leaves on disk, what writing at once would', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { maxLength: 8 }), (transactions) =>
        withTempFolder(async (folder) => {
          const stores = [openStore(join(folder, 'plain')), await openWriteBehind(join(folder, 'behind'))]
          let next = 1
          for (const { steps, fails, looks } of transactions) {
            const start = next
            const inside = stores.map((store) => {
              let seen: unknown
              next = start
              const write = () =>
                store.write((txn) => {
                  perform(txn, steps, () => next++)
                  seen = seenBy(txn, looks)
                  if (fails) throw new Error('on purpose')
                })
              if (fails) expect(write).toThrow('on purpose')
              else write()
              return seen
            })
            if (fails) next = start
            expect(inside[1]).toEqual(inside[0])
            const [plain, behind] = stores.map((store) => store.read((reader) => seenBy(reader, looks)))
            expect(behind).toEqual(plain)
          }
          const last = stores[0]!.read((reader) => seenBy(reader, []))
          for (const store of stores) await store.close()
          const again = openStore(join(folder, 'behind'))
          expect(again.read((reader) => seenBy(reader, []))).toEqual(last)
          await again.close()
        }),
      ),
      { numRuns: 40, seed: 7 },
    )
  })

  test('a fault of the writer reaches whoever writes next, and nothing behind it is written', () =>
    withTempFolder(async (folder) => {
      const store = await openWriteBehind(folder)
      // Another one takes the directory over.
      store.write((txn) => txn.put(meta, 'owner', new TextEncoder().encode('{"pid":1,"started":"","token":"other"}')))
      store.flush()
      store.write((txn) => txn.put(slots, Uint8Array.of(1), Uint8Array.of(1)))
      expect(() => store.flush()).toThrow(expect.objectContaining({ at: expect.objectContaining({ code: 'LOCKED' }) }))
      await expect(store.close()).rejects.toThrow()
      const reader = openStore(folder, { readOnly: true })
      reader.read((snapshot) => expect(snapshot.get(slots, Uint8Array.of(1))).toBe(undefined))
      await reader.close()
    }))

  test('a directory that is in use is refused', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      await expect(openWriteBehind(folder)).rejects.toEqual(
        expect.objectContaining({ at: expect.objectContaining({ code: 'LOCKED' }) }),
      )
      await store.close()
    }))
})
