import { readFileSync } from 'node:fs'

const pageSize = 4096

/** Bytes of mapped files that are resident in this process; 0 if the system does not say. */
export function mappedBytes(): number {
  try {
    // The third number of statm counts pages that are backed by files.
    return Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[2]) * pageSize
  } catch {
    return 0
  }
}
