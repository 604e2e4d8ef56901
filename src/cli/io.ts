import { text } from 'node:stream/consumers'
import { createEnd } from './endProcess.ts'

/** Input and output of a command, so that tests can run many in one process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Width of the terminal. */
  readonly columns: number
  stdout(text: string): void
  stderr(text: string): void
  /** Reads all of standard input. */
  stdin(): Promise<string>
}

/** What a shell reports for a program that SIGPIPE has ended. */
const brokenPipe = 128 + 13

/** Input and output of this process. */
export function processIo(): Io {
  // A closed pipe (`quoin --help | head`) ends a command as SIGPIPE ends others. A node goes on: see createStdoutLogs.
  const [end, fail] = [createEnd(brokenPipe), createEnd(1)]
  process.stdout.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? end() : fail()))
  process.stderr.on('error', () => {})
  return {
    env: process.env,
    columns: process.stdout.columns ?? 80,
    stdout: (out) => void process.stdout.write(out),
    stderr: (out) => void process.stderr.write(out),
    stdin: () => text(process.stdin),
  }
}
