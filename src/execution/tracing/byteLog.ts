/** A place on disk for what a trace has too much of. */
export interface Spill {
  append(bytes: Uint8Array): void
  read(at: number, length: number): Uint8Array
  close(): void
}

/**
 * Bytes that are written front to back and then read once. The writer asks for room, writes at `chunk[at]` and moves
 * `at` on; what was written after one `ensure` is read back in one piece. Only the last part is kept in memory.
 */
export interface ByteLog {
  chunk: Buffer
  at: number
  /** Makes room for that many bytes behind `at`. */
  ensure(bytes: number): void
  /** Bytes before `at`. */
  position(): number
  /** The chunks in order; ends the log. */
  read(): Generator<Buffer>
}

const chunkBytes = 1 << 20
/** Bytes that one log keeps in memory before it spills. */
const defaultRoom = 48 << 20

export function createByteLog(openSpill: () => Spill, room = defaultRoom): ByteLog {
  const kept: Buffer[] = []
  const spilled: number[] = []
  let spill: Spill | undefined
  let before = 0
  let keptBytes = 0

  function spillOldest(): void {
    spill ??= openSpill()
    const oldest = kept.shift()!
    keptBytes -= oldest.length
    spilled.push(oldest.length)
    spill.append(oldest)
  }

  function seal(): void {
    if (log.at === 0) return
    const full = log.chunk.subarray(0, log.at)
    kept.push(full)
    before += full.length
    keptBytes += full.length
    // The chunk before the current one may still be corrected.
    while (keptBytes > room && kept.length > 1) spillOldest()
  }

  const log: ByteLog = {
    chunk: Buffer.allocUnsafe(1 << 12),
    at: 0,
    ensure(bytes) {
      if (log.at + bytes <= log.chunk.length) return
      const larger = Math.min(chunkBytes, log.chunk.length * 4)
      seal()
      log.chunk = Buffer.allocUnsafe(Math.max(larger, bytes))
      log.at = 0
    },
    position: () => before + log.at,
    *read() {
      seal()
      try {
        let at = 0
        for (const length of spilled) {
          yield Buffer.from(spill!.read(at, length))
          at += length
        }
        while (kept.length > 0) yield kept.shift()!
      } finally {
        spill?.close()
      }
    },
  }
  return log
}

/** Appends text of one-byte characters. */
export function writeText(log: ByteLog, text: string): void {
  log.ensure(text.length)
  log.at += log.chunk.write(text, log.at, 'latin1')
}
