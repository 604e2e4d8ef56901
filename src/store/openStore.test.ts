import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withTempFolder, withTempStore } from '../../test/support/tempStore.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { measureFile } from './fileLength.ts'
import { mappedBytes } from './mappedBytes.ts'
import { openStore } from './openStore.ts'
import { encodeOwner } from './owner.ts'
import { meta, oldestSchema, publicState, schemaVersion } from './schema.ts'
import type { Store } from './store.ts'
import type { Reader, Snapshot } from './table.ts'

const key = (n: number) => Uint8Array.of(n)
const { slots } = publicState

function fault(code: string) {
  return expect.objectContaining({ at: expect.objectContaining({ code }) })
}

const withStore = (action: (store: Store) => void) =>
  withTempFolder(async (folder) => {
    const store = openStore(join(folder, 'database'))
    try {
      action(store)
    } finally {
      await store.close()
    }
  })

describe('a store', () => {
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
      const first = openStore(path)
      first.write((txn) => txn.put(slots, key(1), key(10)))
      await first.close()
      const second = openStore(path)
      second.read((reader) => expect(reader.get(slots, key(1))).toEqual(key(10)))
      await second.close()
    }))
})

describe('its file', () => {
  test.runIf(process.platform === 'linux')('a file that has become resident is mapped again, and loses nothing', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder, { maxMapped: mappedBytes() + (8 << 20) })
      const rows = 64
      store.write((txn) => {
        for (let n = 0; n < rows; n++) txn.put(slots, key(n), new Uint8Array(1 << 19).fill(n))
      })
      const before = store.openSnapshot()
      for (let n = 0; n < rows; n++) before.get(slots, key(n))
      store.write((txn) => txn.put(slots, key(0), key(77)))
      // As long as someone reads, the file stays where it is.
      expect(before.get(slots, key(0))!.length).toBe(1 << 19)
      const max = mappedBytes()
      before.close()
      expect(mappedBytes()).toBeLessThan(max - (16 << 20))
      store.read((reader) => {
        expect(reader.get(slots, key(0))).toEqual(key(77))
        for (let n = 1; n < rows; n++)
          expect(equalBytes(reader.get(slots, key(n))!, new Uint8Array(1 << 19).fill(n))).toBe(true)
      })
      store.write((txn) => txn.put(slots, key(1), key(78)))
      store.read((reader) => expect(reader.get(slots, key(1))).toEqual(key(78)))
      expect(() => openStore(folder)).toThrow(fault('LOCKED'))
      await store.close()
    }),
  )

  test.runIf(process.platform === 'linux')(
    'those who keep snapshots are asked for them when the file takes much memory',
    () =>
      withTempFolder(async (folder) => {
        const store = openStore(folder, { maxMapped: mappedBytes() + (8 << 20) })
        const rows = 64
        store.write((txn) => {
          for (let n = 0; n < rows; n++) txn.put(slots, key(n), new Uint8Array(1 << 19).fill(n))
        })
        // Each of them is closed while the other one is open: the file is never free by itself.
        const asked: string[] = []
        const keep = (name: string): Snapshot => {
          const snapshot = store.openSnapshot(() => {
            asked.push(name)
            snapshot.close()
          })
          return snapshot
        }
        const [first, second] = [keep('first'), keep('second')]
        for (let n = 0; n < rows; n++) first.get(slots, key(n))
        const max = mappedBytes()
        store.write((txn) => txn.put(slots, key(0), key(77)))
        expect(second.get(slots, key(0))!.length).toBe(1 << 19)
        await new Promise(setImmediate)
        expect(asked).toEqual(['first', 'second'])
        expect(mappedBytes()).toBeLessThan(max - (16 << 20))
        store.read((reader) => expect(reader.get(slots, key(0))).toEqual(key(77)))
        await store.close()
      }),
  )

  test('a snapshot is not read inside a write', () =>
    withTempStore((store) => {
      const snapshot = store.openSnapshot()
      expect(() => store.write(() => snapshot.get(slots, key(1)))).toThrow('inside a write')
      snapshot.close()
    }))
})

describe('a data directory', () => {
  test.each([
    ['newer', schemaVersion + 1, 'NEWER_SCHEMA'],
    ['older', oldestSchema - 1, 'OLDER_SCHEMA'],
  ] as const)('of a %s schema is refused and left as it is', (_, version, code) =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      store.write((txn) => txn.put(meta, 'schema', Uint8Array.of(version)))
      await store.close()
      for (const readOnly of [false, true]) expect(() => openStore(folder, { readOnly })).toThrow(fault(code))
    }),
  )

  test('of an older schema whose bytes mean the same is used, and from then on refused by older versions', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      store.write((txn) => txn.put(meta, 'schema', Uint8Array.of(oldestSchema)))
      await store.close()
      const schemaOf = (reader: Reader) => reader.get(meta, 'schema')
      const readOnly = openStore(folder, { readOnly: true })
      expect(readOnly.read(schemaOf)).toEqual(Uint8Array.of(oldestSchema))
      await readOnly.close()
      const again = openStore(folder)
      expect(again.read(schemaOf)).toEqual(Uint8Array.of(schemaVersion))
      await again.close()
    }))

  test('that another process writes to is refused, until that process is gone', () =>
    withTempFolder(async (folder) => {
      const owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      const store = openStore(folder)
      store.write((txn) => txn.put(meta, 'owner', encodeOwner({ pid: owner.pid!, started: '', token: 'other' })))
      // This opening was displaced by the other process: it must not write any more, nor remove the other's claim.
      expect(() => store.write((txn) => txn.put(slots, key(1), key(1)))).toThrow(fault('LOCKED'))
      await store.close()
      expect(() => openStore(folder)).toThrow(fault('LOCKED'))
      const gone = new Promise((resolve) => owner.on('exit', resolve))
      owner.kill()
      await gone
      await openStore(folder).close()
    }))

  test('is free when its owner’s pid now belongs to another process', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      const owner = { pid: process.pid, started: 'another boot/1', token: 'other' }
      store.write((txn) => txn.put(meta, 'owner', encodeOwner(owner)))
      await store.close()
      await openStore(folder).close()
    }))

  test('opens once in a process', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      expect(() => openStore(folder)).toThrow(fault('LOCKED'))
      store.write((txn) => txn.put(slots, key(1), key(10)))
      await store.close()
    }))

  test('is read by others while its owner writes', () =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      const reader = openStore(folder, { readOnly: true })
      store.write((txn) => txn.put(slots, key(1), key(10)))
      reader.read((snapshot) => expect(snapshot.get(slots, key(1))).toEqual(key(10)))
      expect(() => reader.write(() => 0)).toThrow()
      await reader.close()
      await store.close()
    }))

  test.each([
    ['a file', (path: string) => writeFileSync(path, 'text')],
    [
      'a folder with other files',
      (path: string) => {
        mkdirSync(path)
        writeFileSync(join(path, 'photo.jpg'), '')
      },
    ],
    [
      'a folder with something else in data.mdb',
      (path: string) => {
        mkdirSync(path)
        writeFileSync(join(path, 'data.mdb'), Buffer.alloc(8192, 7))
      },
    ],
  ])('is not %s', (_, make) =>
    withTempFolder((folder) => {
      const path = join(folder, 'x')
      make(path)
      const files = readdirSync(folder, { recursive: true })
      for (const readOnly of [false, true])
        expect(() => openStore(path, { readOnly })).toThrow(fault('NOT_A_DATA_DIRECTORY'))
      expect(readdirSync(folder, { recursive: true }).filter((name) => !String(name).endsWith('lock.mdb'))).toEqual(
        files,
      )
    }),
  )

  test.each([
    ['100 bytes', 100],
    ['the first page', 4096],
    ['half', 0.5],
    ['all but a bit', 0.9],
  ])('that has lost all but %s of its file is refused', (_, kept) =>
    withTempFolder(async (folder) => {
      const store = openStore(folder)
      store.write((txn) => {
        for (let n = 0; n < 200; n++) txn.put(slots, key(n), new Uint8Array(3000).fill(n))
      })
      await store.close()
      const file = join(folder, 'data.mdb')
      // Behind the last page there is room for later ones.
      truncateSync(file, kept < 1 ? Math.floor(measureFile(file)!.want * kept) : kept)
      for (const readOnly of [false, true]) expect(() => openStore(folder, { readOnly })).toThrow(fault('TRUNCATED'))
    }),
  )

  test('whose file ends with pages that nobody needs is opened', () =>
    withTempFolder(async (folder) => {
      await openStore(folder).close()
      const file = join(folder, 'data.mdb')
      // The last commit claims ten more pages, as if they were free.
      const pages = readFileSync(file)
      for (const meta of [24, 4096 + 24]) pages.writeBigUInt64LE(pages.readBigUInt64LE(meta + 120) + 10n, meta + 120)
      writeFileSync(file, pages)
      await openStore(folder).close()
    }))

  test('whose file was emptied is refused; one that was never written is not', () =>
    withTempFolder(async (folder) => {
      const path = join(folder, 'x')
      await openStore(path).close()
      truncateSync(join(path, 'data.mdb'), 0)
      for (const readOnly of [false, true]) expect(() => openStore(path, { readOnly })).toThrow(fault('EMPTIED'))
      const fresh = join(folder, 'y')
      mkdirSync(fresh)
      writeFileSync(join(fresh, 'data.mdb'), '')
      await openStore(fresh).close()
    }))

  test.runIf(process.platform !== 'win32')('is for its user alone', () =>
    withTempFolder(async (folder) => {
      const path = join(folder, 'x')
      await openStore(path).close()
      expect(statSync(path).mode & 0o777).toBe(0o700)
      expect(statSync(join(path, 'data.mdb')).mode & 0o777).toBe(0o600)
    }),
  )

  test('is not made for one who only reads', () =>
    withTempFolder((folder) => {
      const path = join(folder, 'x')
      expect(() => openStore(path, { readOnly: true })).toThrow(fault('NOT_A_DATA_DIRECTORY'))
      expect(existsSync(path)).toBe(false)
    }))
})
