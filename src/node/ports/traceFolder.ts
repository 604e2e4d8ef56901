import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TraceFile, TracesPort } from '../../rpc/protocol/context.ts'
import type { Clock } from '../../system/clock.ts'

/** File names that cannot lead out of the folder. */
const plainName = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,200}$/

/** Writes all bytes; one call of `writeSync` may write fewer. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

function readAll(file: number, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let got = 0; got < length; ) {
    const more = readSync(file, bytes, got, length - got, at + got)
    if (more === 0) throw new RangeError('the trace file is shorter than what was written to it')
    got += more
  }
  return bytes
}

/** Writes traces to files in the folder `traces` of the data path, which is created for the first one. */
export function createTraceFolder(dataPath: string, clock: Pick<Clock, 'now'>): TracesPort {
  const folder = join(dataPath, 'traces')

  function open(name: string): { path: string; file: number } {
    if (!plainName.test(name)) throw new RangeError(`invalid name of a trace: '${name}'`)
    mkdirSync(folder, { recursive: true })
    const path = join(folder, name)
    // Fails if the file exists, also as a link.
    return { path, file: openSync(path, 'wx+', 0o600) }
  }

  return {
    create(name): TraceFile {
      const { path, file } = open(`${name}-${clock.now()}`)
      return { path, write: (bytes) => writeAll(file, bytes), close: () => closeSync(file) }
    },
    openSpill() {
      const { path, file } = open(`spill-${randomUUID()}`)
      // An unlinked file is deleted when it is closed.
      unlinkSync(path)
      return {
        append: (bytes) => writeAll(file, bytes),
        read: (at, length) => readAll(file, at, length),
        close: () => closeSync(file),
      }
    },
  }
}
