import type { Writable } from 'node:stream'

/** What may take no more: a file on a full disk, a pipe whose reader has ended. */
export interface LossyOutput {
  write(line: string): void
}

/**
 * Writes lines to a stream, and goes on where it takes none: they are counted, and `onLost` is called with their number as soon as one was taken
 * again. The process must not end because nobody reads its log.
 */
export function createLossyOutput(stream: Writable, onLost: (lines: number) => void): LossyOutput {
  let lost = 0
  // The listener from before would end the process.
  stream.removeAllListeners('error')
  stream.on('error', () => {})

  function settle(error: Error | null | undefined): void {
    if (error) {
      lost++
      return
    }
    if (lost === 0) return
    const lines = lost
    lost = 0
    onLost(lines)
  }

  return {
    write(line) {
      try {
        stream.write(line, settle)
      } catch (error) {
        settle(error as Error)
      }
    },
  }
}
