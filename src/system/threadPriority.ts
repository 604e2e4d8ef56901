import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Makes the calling thread nicer than the process by so much, or less nice by a negative number. Linux has a priority for each thread; who
 * may raise it is told by the operator (`LimitNICE` of systemd), and where nobody may it stays as it is.
 */
export function addNiceness(by: number): void {
  try {
    setPriority(Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0]), getPriority() + by)
  } catch {
    // It goes on as all others do.
  }
}
