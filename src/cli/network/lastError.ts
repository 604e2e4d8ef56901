import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** Bytes at the end of a log that are searched. */
const searched = 8000

/** The last error that a node wrote to its log after `start` bytes, as text; undefined if there is none. */
export function lastErrorOf(logFile: string, start: number): string | undefined {
  const lines = readTail(logFile, start).trimEnd().split('\n')
  return lines.map(errorText).findLast((text) => text !== undefined)
}

/** The error in a line: a log record of level error, or a text that is not indented as stack traces are. */
function errorText(line: string): string | undefined {
  if (!line.startsWith('{')) return /^\S/.test(line) ? line : undefined
  try {
    const { level, msg, error } = JSON.parse(line) as Readonly<Record<string, string | undefined>>
    if (level !== 'error' && level !== 'fatal') return undefined
    return error === undefined ? msg : `${msg}: ${error}`
  } catch {
    return undefined
  }
}

function readTail(path: string, start: number): string {
  const { size } = statSync(path)
  const from = Math.max(start, size - searched)
  const buffer = Buffer.alloc(Math.max(0, size - from))
  const file = openSync(path, 'r')
  try {
    readSync(file, buffer, 0, buffer.length, from)
  } finally {
    closeSync(file)
  }
  return buffer.toString()
}
