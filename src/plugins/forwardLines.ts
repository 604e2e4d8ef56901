import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const maxLine = 500
/** Lines per second; the others are counted. */
const maxLines = 20

/** Hands on what a plugin prints, line by line, and no more than a log can bear. */
export function forwardLines(from: Readable, print: (line: string) => void, now: () => number = Date.now): void {
  let began = now()
  let lines = 0
  createInterface({ input: from }).on('line', (line) => {
    if (now() - began >= 1000) {
      if (lines > maxLines) print(`… and ${lines - maxLines} lines more`)
      began = now()
      lines = 0
    }
    if (++lines <= maxLines) print(line.slice(0, maxLine))
  })
}
