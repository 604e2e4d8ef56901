import { text } from 'node:stream/consumers'

/** What a command line sees of the world, so that one process can run many of them. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Width of the terminal. */
  readonly columns: number
  stdout(text: string): void
  stderr(text: string): void
  /** Everything that standard input holds. */
  stdin(): Promise<string>
}

/** The world of this process. */
export function processIo(): Io {
  // A reader that went away (`quoin --help | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  return {
    env: process.env,
    columns: process.stdout.columns ?? 80,
    stdout: (out) => void process.stdout.write(out),
    stderr: (out) => void process.stderr.write(out),
    stdin: () => text(process.stdin),
  }
}
