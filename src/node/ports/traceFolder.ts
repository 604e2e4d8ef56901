import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../primitives/clock.ts'
import type { TraceFile, TracesPort } from '../../rpc/protocol/context.ts'

/** Names that stay where they are put. */
const plainName = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,200}$/

/** Writes all of it: one call may write less. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

function readAll(file: number, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let got = 0; got < length; ) {
    const more = readSync(file, bytes, got, length - got, at + got)
    if (more === 0) throw new RangeError('a trace on disk is shorter than what was written')
    got += more
  }
  return bytes
}

/** Traces as files in a folder of the data folder, which is made when the first one is written. */
export function createTraceFolder(dataPath: string, clock: Pick<Clock, 'now'>): TracesPort {
  const folder = join(dataPath, 'traces')

  function open(name: string): { path: string; file: number } {
    if (!plainName.test(name)) throw new RangeError(`'${name}' is no name of a trace`)
    mkdirSync(folder, { recursive: true })
    const path = join(folder, name)
    // A file that exists is left alone, and so is what a link points at.
    return { path, file: openSync(path, 'wx+', 0o600) }
  }

  return {
    create(name): TraceFile {
      const { path, file } = open(`${name}-${clock.now()}`)
      return { path, write: (bytes) => writeAll(file, bytes), close: () => closeSync(file) }
    },
    openSpill() {
      const { path, file } = open(`spill-${randomUUID()}`)
      // Nobody else is to see it: it lives as long as it is open.
      unlinkSync(path)
      return {
        append: (bytes) => writeAll(file, bytes),
        read: (at, length) => readAll(file, at, length),
        close: () => closeSync(file),
      }
    },
  }
}
