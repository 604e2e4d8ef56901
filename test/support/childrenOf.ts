import { readdirSync, readFileSync } from 'node:fs'

/** Processes that a process has started, where the system tells. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        // Behind the name, which is in parentheses: the state and the parent.
        return (
          Number(
            readFileSync(`/proc/${child}/stat`, 'latin1')
              .replace(/^.*\) /s, '')
              .split(' ')[1],
          ) === pid
        )
      } catch {
        return false
      }
    })
}
