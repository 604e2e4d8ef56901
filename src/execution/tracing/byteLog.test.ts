import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteLog, type Spill, writeText } from './byteLog.ts'

function memorySpill(): Spill & { closed: boolean; bytes: number } {
  let kept = Buffer.alloc(0)
  return {
    closed: false,
    bytes: 0,
    append(bytes) {
      kept = Buffer.concat([kept, bytes])
      this.bytes = kept.length
    },
    read: (at, length) => kept.subarray(at, at + length),
    close() {
      this.closed = true
    },
  }
}

test('what was written is read back in order, however little room there is', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 5000 })), fc.nat(20_000), (texts, room) => {
      const spill = memorySpill()
      const log = createByteLog(() => spill, room)
      for (const text of texts) writeText(log, text)
      expect(log.position()).toBe(texts.join('').length)
      expect(Buffer.concat([...log.read()]).toString('latin1')).toBe(texts.join(''))
    }),
  )
})

test('a log that has more than its room goes to disk, and gives the file up when it was read', () => {
  const spill = memorySpill()
  const log = createByteLog(() => spill, 1 << 20)
  for (let i = 0; i < 5; i++) writeText(log, 'x'.repeat(1 << 20))
  expect(spill.bytes).toBeGreaterThan(2 << 20)
  let read = 0
  for (const chunk of log.read()) read += chunk.length
  expect(read).toBe(5 << 20)
  expect(spill.closed).toBe(true)
})

test('a log that fits opens no file', () => {
  const log = createByteLog(() => {
    throw new Error('opened')
  })
  writeText(log, 'x'.repeat(1 << 20))
  expect([...log.read()].length).toBeGreaterThan(0)
})

test('a reader that stops early gives the file up too', () => {
  const spill = memorySpill()
  const log = createByteLog(() => spill, 0)
  for (let i = 0; i < 3; i++) writeText(log, 'x'.repeat(1 << 20))
  for (const _ of log.read()) break
  expect(spill.closed).toBe(true)
})
