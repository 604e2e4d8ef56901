import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The process that may write to a data directory. */
export interface Owner {
  readonly pid: number
  /** When the process started: distinguishes it from a later one that was given the same pid. Empty where the system won't say. */
  readonly started: string
  /** Unique per opening. */
  readonly token: string
}

/** Names this process as the owner of a new opening. */
export function createOwner(): Owner {
  return { pid: process.pid, started: processStart(process.pid), token: randomUUID() }
}

/** Whether the process that wrote the record still runs. */
export function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, but under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = processStart(pid)
  return started === '' || now === '' || now === started
}

function processStart(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // Field 22 of stat(5); the second field is the program's name in parentheses and may contain anything.
      const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
    }
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

export function encodeOwner(owner: Owner): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(owner))
}

export function decodeOwner(bytes: Uint8Array): Owner {
  return JSON.parse(new TextDecoder().decode(bytes)) as Owner
}
