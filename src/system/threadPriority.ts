import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Adds to the niceness of the calling thread: more is a lower priority, a negative number a higher one. Linux has a priority for each
 * thread; the operator decides who may raise it (`LimitNICE` of systemd); where nobody may, it stays as it is.
 */
export function addNiceness(by: number): void {
  try {
    setPriority(Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0]), getPriority() + by)
  } catch {
    // It goes on as all others do.
  }
}
