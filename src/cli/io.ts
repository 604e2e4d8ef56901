import { text } from 'node:stream/consumers'

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

/** Input and output of this process. */
export function processIo(): Io {
  // A closed pipe (`quoin --help | head`) is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  return {
    env: process.env,
    columns: process.stdout.columns ?? 80,
    stdout: (out) => void process.stdout.write(out),
    stderr: (out) => void process.stderr.write(out),
    stdin: () => text(process.stdin),
  }
}
