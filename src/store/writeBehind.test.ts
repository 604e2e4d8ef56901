import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withTempFolder } from '../../test/support/tempStore.ts'
import { sampled } from '../../test/support/wholeRun.ts'
import { openStore } from './openStore.ts'
import { meta, publicState } from './schema.ts'
import type { Store } from './store.ts'
import type { Range, Reader, Transaction } from './table.ts'
import { openWriteBehind, type WriteBehind } from './writeBehind.ts'

const { slots, slotHistory } = publicState

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
const transaction = fc.record({
  steps: fc.array(step, { maxLength: 12 }),
  fails: fc.boolean(),
  isDirect: fc.boolean(),
  looks: fc.array(look),
})

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
          const plain = openStore(join(folder, 'plain'))
          const other = openStore(join(folder, 'behind'))
          const behind = await other.openBehind()
          let next = 1
          for (const { steps, fails, isDirect, looks } of transactions) {
            const start = next
            const inside = [plain, isDirect ? other : behind].map((store) => {
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
          }
          other.flush()
          const last = plain.read((reader) => seenBy(reader, []))
          expect(other.read((reader) => seenBy(reader, []))).toEqual(last)
          await behind.close()
          await other.close()
          await plain.close()
          const again = openStore(join(folder, 'behind'))
          expect(again.read((reader) => seenBy(reader, []))).toEqual(last)
          await again.close()
        }),
      ),
      { numRuns: sampled(12, 40), seed: 7 },
    )
  })

  const withBehind = (action: (behind: WriteBehind, store: Store) => void | Promise<void>) =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      const behind = await store.openBehind()
      try {
        await action(behind, store)
      } finally {
        await behind.close().catch(() => {})
        await store.close()
      }
    })

  const key = Uint8Array.of(1)
  const valueIn = (reader: Reader) => reader.get(slots, key)

  test('who reads sees a transaction when it is on disk, and who writes waits for it', () =>
    withBehind(async (behind, store) => {
      for (let n = 1; n <= 20; n++) {
        behind.write((txn) => txn.put(slots, key, Uint8Array.of(n)))
        expect(behind.made()).toBe(n)
        const seen = store.read(valueIn)?.[0] ?? 0
        expect(seen).toBeLessThanOrEqual(n)
        expect(behind.onDisk()).toBeGreaterThanOrEqual(seen)
      }
      store.write((txn) => expect(valueIn(txn)).toEqual(Uint8Array.of(20)))
      behind.write((txn) => txn.put(slots, key, Uint8Array.of(21)))
      await behind.settle(0)
      expect(store.read(valueIn)).toEqual(Uint8Array.of(21))
    }))

  test('a transaction keeps seeing those before it when they reach the disk meanwhile', () =>
    withBehind((behind) => {
      behind.write((txn) => txn.put(slots, key, Uint8Array.of(1)))
      behind.write((txn) => {
        behind.flush()
        txn.put(slots, Uint8Array.of(2), Uint8Array.of(2))
        expect(valueIn(txn)).toEqual(Uint8Array.of(1))
      })
    }))

  test('memory is used again for other changes, and none of the former ones is seen or written', () =>
    withBehind((behind, store) => {
      const other = Uint8Array.of(2)
      const otherIn = (reader: Reader) => reader.get(slots, other)
      behind.write((txn) => {
        txn.put(slots, key, Uint8Array.of(1))
        txn.put(slots, other, Uint8Array.of(1))
      })
      store.write((txn) => txn.put(slots, other, Uint8Array.of(2)))
      behind.write((txn) => {
        txn.put(slots, key, Uint8Array.of(2))
        expect(otherIn(txn)).toEqual(Uint8Array.of(2))
      })
      behind.flush()
      expect(store.read(otherIn)).toEqual(Uint8Array.of(2))
    }))

  test('the thread writes on after it was to let go of its file', () =>
    withBehind((behind, store) => {
      behind.write((txn) => txn.put(slots, key, Uint8Array.of(1)))
      behind.unmap()
      behind.write((txn) => {
        expect(valueIn(txn)).toEqual(Uint8Array.of(1))
        txn.put(slots, key, Uint8Array.of(2))
      })
      store.flush()
      expect(store.read(valueIn)).toEqual(Uint8Array.of(2))
    }))

  test('anyone who writes while the thread ends does not wait for it', () =>
    withBehind(async (behind, store) => {
      behind.write((txn) => txn.put(slots, key, Uint8Array.of(1)))
      await behind.settle(0)
      const closed = behind.close()
      // The thread was told to end, but the event loop, which would hear that it has, did not turn.
      for (let i = 0; i < 10; i++) await Promise.resolve()
      store.write((txn) => txn.put(slots, key, Uint8Array.of(2)))
      behind.unmap()
      await closed
      expect(store.read(valueIn)).toEqual(Uint8Array.of(2))
    }))

  test('transactions do not nest, of whatever kind', () =>
    withBehind((behind, store) => {
      const write = () => store.write(() => {})
      const writeBehind = () => behind.write(() => {})
      for (const outer of [store, behind])
        for (const inner of [write, writeBehind]) expect(() => outer.write(inner)).toThrow('do not nest')
    }))

  test('a fault of the writer reaches the next writer, and nothing behind it is written', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      const behind = await store.openBehind()
      const locked = expect.objectContaining({ at: expect.objectContaining({ code: 'LOCKED' }) })
      // Another one takes the directory over.
      behind.write((txn) => txn.put(meta, 'owner', new TextEncoder().encode('{"pid":1,"started":"","token":"other"}')))
      store.flush()
      behind.write((txn) => txn.put(slots, key, key))
      await expect(behind.settle(0)).rejects.toEqual(locked)
      expect(() => behind.write(() => {})).toThrow(locked)
      expect(() => store.write(() => {})).toThrow(locked)
      behind.unmap()
      await expect(behind.close()).rejects.toEqual(locked)
      expect(store.read(valueIn)).toBe(undefined)
      await store.close()
    }))

  /** A thread that takes the first order and then allocates until the system ends it. */
  const dying = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { readlinkSync } from 'node:fs'
      import { parentPort, workerData } from 'node:worker_threads'
      workerData.port.on('message', () => {
        const kept = []
        for (;;) kept.push(new Array(1000).fill({}).map((_, i) => ({ i })))
      })
      let shownAt
      try { shownAt = '/proc/' + readlinkSync('/proc/thread-self') } catch {}
      parentPort.postMessage({ shownAt })`)}`,
  )

  const ended = expect.objectContaining({ at: expect.objectContaining({ code: 'WRITER_ENDED' }) })

  const withDying = (action: (behind: WriteBehind) => void | Promise<void>) =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      const { path, openSnapshot } = store
      const behind = await openWriteBehind({ path, owner: store.owner!, openSnapshot }, dying, {
        maxOldGenerationSizeMb: 16,
      })
      behind.write((txn) => txn.put(slots, key, key))
      await action(behind)
      expect(() => behind.write(() => {})).toThrow(ended)
      await expect(behind.close()).rejects.toEqual(ended)
      expect(store.read(valueIn)).toBe(undefined)
      await store.close()
    })

  test('a thread that runs out of memory is a fault of the one that waits for it by an event', () =>
    withDying((behind) => expect(behind.settle(0)).rejects.toEqual(ended)))

  test.skipIf(process.platform !== 'linux')('… and of the one that waits for it without one', () =>
    withDying((behind) => expect(() => behind.flush()).toThrow(ended)),
  )
})
