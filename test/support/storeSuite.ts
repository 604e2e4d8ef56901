import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/openStore.ts'
import { publicState } from '../../src/store/schema.ts'
import type { Reader } from '../../src/store/table.ts'
import { withTempFolder } from '../tempStore.ts'

const key = (n: number) => Uint8Array.of(n)
const { slots } = publicState

/** What every kind of store does. */
export function testStore(name: string, open: (path: string) => Store | Promise<Store>): void {
  const withStore = (action: (store: Store) => void) =>
    withTempFolder(async (folder) => {
      const store = await open(join(folder, 'database'))
      try {
        action(store)
      } finally {
        await store.close()
      }
    })

  describe(name, () => {
    test('an exception takes everything back', () =>
      withStore((store) => {
        store.write((txn) => txn.put(slots, key(1), key(10)))
        const failing = () =>
          store.write((txn) => {
            txn.put(slots, key(1), key(11))
            txn.put(slots, key(2), key(12))
            txn.remove(slots, key(1))
            throw new Error('on purpose')
          })
        expect(failing).toThrow('on purpose')
        store.read((reader) => expect([...reader.range(slots, {})]).toEqual([[key(1), key(10)]]))
        store.write((txn) => txn.put(slots, key(3), key(13)))
        store.read((reader) => expect(reader.get(slots, key(3))).toEqual(key(13)))
      }))

    test('a transaction sees its own writes, a snapshot never those that came after it', () =>
      withStore((store) => {
        store.write((txn) => txn.put(slots, key(1), key(10)))
        const before = store.openSnapshot()
        store.write((txn) => {
          txn.put(slots, key(1), key(20))
          expect(txn.get(slots, key(1))).toEqual(key(20))
        })
        expect(before.get(slots, key(1))).toEqual(key(10))
        expect([...before.range(slots, {})]).toEqual([[key(1), key(10)]])
        store.read((reader) => expect(reader.get(slots, key(1))).toEqual(key(20)))
        before.close()
      }))

    test('ranges go up and down, from the first key to before the last', () =>
      withStore((store) => {
        store.write((txn) => {
          for (const n of [1, 2, 3, 4]) txn.append(slots, key(n), key(n * 10))
        })
        const keys = (range: Parameters<Reader['range']>[1]) =>
          store.read((reader) => [...reader.range(slots, range as { from: Uint8Array })].map(([found]) => found[0]))
        expect(keys({ from: key(2), to: key(4) })).toEqual([2, 3])
        expect(keys({ from: key(3), to: key(1), reverse: true })).toEqual([3, 2])
        expect(keys({ limit: 1 })).toEqual([1])
        expect(keys({ reverse: true, limit: 2 })).toEqual([4, 3])
      }))

    test('values of any size come back as they were', () =>
      withStore((store) => {
        const sizes = [0, 1, 64, 65, 3000, 40_000, 200_000]
        store.write((txn) => {
          for (const [i, size] of sizes.entries()) txn.put(slots, key(i + 1), new Uint8Array(size).fill(size & 0xff))
        })
        const right = (size: number, value: Uint8Array | undefined) =>
          value?.length === size && value.every((byte) => byte === (size & 0xff))
        store.read((reader) => {
          const got = sizes.map((size, i) => right(size, reader.get(slots, key(i + 1))))
          const peeked = sizes.map((size, i) => right(size, reader.peek(slots, key(i + 1))))
          const ranged = [...reader.range(slots, {})].map(([, value], i) => right(sizes[i]!, value))
          expect([got, peeked, ranged].flat()).toEqual(sizes.concat(sizes, sizes).map(() => true))
        })
      }))

    test('`read` closes its snapshot, also when the reader throws', () =>
      withStore((store) => {
        store.write((txn) => txn.put(slots, key(1), key(10)))
        let kept: Reader | undefined
        const fails = (reader: Reader): never => {
          kept = reader
          throw new Error(`read ${reader.get(slots, key(1))}`)
        }
        expect(() => store.read(fails)).toThrow('read 10')
        // A key that only the disk can answer for.
        expect(() => kept!.get(slots, key(9))).toThrow('after close')
        expect(store.read((reader) => (kept = reader).get(slots, key(1)))).toEqual(key(10))
        expect(() => kept!.get(slots, key(9))).toThrow('after close')
      }))

    test('misuse is refused', () =>
      withStore((store) => {
        expect(() => store.write(() => store.write(() => 0))).toThrow('do not nest')
        expect(() => store.write(async () => 0)).toThrow('synchronous')
        const snapshot = store.openSnapshot()
        snapshot.close()
        expect(() => snapshot.get(slots, key(1))).toThrow('after close')
        expect(store.write((txn) => txn.get(slots, key(1)))).toBe(undefined)
      }))

    test('keeps what was written', () =>
      withTempFolder(async (folder) => {
        const path = join(folder, 'a/b')
        const first = await open(path)
        first.write((txn) => txn.put(slots, key(1), key(10)))
        await first.close()
        const second = await open(path)
        second.read((reader) => expect(reader.get(slots, key(1))).toEqual(key(10)))
        await second.close()
      }))
  })
}
