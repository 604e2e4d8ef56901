import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearReplyFiles, readReplyFile, writeReplyFile } from './replyFile.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-reply-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a long reply is read as it was written, and its file is gone', () => {
  const text = 'ä€𝄞'.repeat(50_000)
  const pieces = readReplyFile(writeReplyFile(folder, [text, 'end']))
  expect([...pieces].join('') === `${text}end`).toBe(true)
  expect(readdirSync(folder)).toEqual([])
})

test('the bytes of a long reply are those that were written, and its file is gone', async () => {
  const text = 'ä€𝄞'.repeat(50_000)
  const pieces: Uint8Array[] = []
  for await (const piece of readReplyFile(writeReplyFile(folder, [text, 'end'])).readBytes()) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(1)
  expect(Buffer.concat(pieces).toString() === `${text}end`).toBe(true)
  expect(readdirSync(folder)).toEqual([])
})

test('replies that nobody took are deleted, other files are not', () => {
  writeReplyFile(folder, ['a'])
  writeFileSync(join(folder, 'block_0x01-0-0x02-3'), '')
  clearReplyFiles(folder)
  expect(readdirSync(folder)).toEqual(['block_0x01-0-0x02-3'])
  clearReplyFiles(join(folder, 'absent'))
})
