import { setTimeout as delay } from 'node:timers/promises'
import type { Checks } from '../interop/checks.ts'
import { residentMemory } from './processMemory.ts'

/** Megabytes by which the memory of a node may be larger when all is over: caches fill, and the heap is not given back. */
const allowance = 400

/** Follows the memory of a process: at the start, after the work, and when it has rested. */
export function followMemory(pid: number | undefined) {
  const before = residentMemory(pid)
  return {
    async check(checks: Checks, restSeconds: number): Promise<void> {
      if (before === undefined) {
        checks.note('resident memory is not known on this system')
        return
      }
      const after = residentMemory(pid)
      await delay(restSeconds * 1000)
      const rested = residentMemory(pid)
      checks.note(`resident memory: ${before} MB at the start, ${after} MB after, ${rested} MB ${restSeconds} s later`)
      checks.equal(
        `memory grew by less than ${allowance} MB`,
        rested !== undefined && rested - before < allowance,
        true,
      )
    },
  }
}
