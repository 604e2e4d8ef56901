import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { StoredText } from '../primitives/longText.ts'

/** Characters from which on a reply goes through a file: neither process keeps it in memory while the client takes it. */
export const longReply = 1 << 20
const pieceLength = 64 << 10
/** Milliseconds after which a reply that nobody has begun to read is deleted. */
const unreadTime = 60_000
const namePrefix = 'reply-'

/** Writes a long reply to a file in the folder; returns its path. */
export function writeReplyFile(folder: string, pieces: Iterable<string>): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, namePrefix + randomUUID())
  const file = openSync(path, 'wx', 0o600)
  try {
    for (const piece of pieces) writeAll(file, Buffer.from(piece))
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return path
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** The reply in a file; the file is deleted when the first piece is read, or if nobody does. */
export function readReplyFile(path: string): StoredText {
  const forget = setTimeout(() => rmSync(path, { force: true }), unreadTime)
  forget.unref()
  return {
    *[Symbol.iterator]() {
      clearTimeout(forget)
      const file = openSync(path, 'r')
      try {
        // An unlinked file is deleted when it is closed.
        unlinkSync(path)
        const decoder = new StringDecoder('utf8')
        const bytes = Buffer.allocUnsafe(pieceLength)
        for (;;) {
          const length = readSync(file, bytes, 0, pieceLength, null)
          if (length === 0) return
          yield decoder.write(bytes.subarray(0, length))
        }
      } finally {
        closeSync(file)
      }
    },
    async *readBytes() {
      clearTimeout(forget)
      const file = await open(path)
      try {
        await unlink(path)
        for (;;) {
          // Not the same buffer again: the client may not have taken the last piece yet.
          const bytes = Buffer.allocUnsafe(pieceLength)
          const { bytesRead } = await file.read(bytes, 0, pieceLength, null)
          if (bytesRead === 0) return
          yield bytes.subarray(0, bytesRead)
        }
      } finally {
        await file.close()
      }
    },
  }
}

/** Deletes replies that were left in the folder, such as by a reader that was killed. */
export function clearReplyFiles(folder: string): void {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return
  }
  for (const name of names) if (name.startsWith(namePrefix)) rmSync(join(folder, name), { force: true })
}
