import type { FaultPlan } from './faults.ts'
import type { World } from './world.ts'

/** The ways between validators, with all that can happen on them. */
export interface Links {
  /** Takes something from one to another, if it gets there. */
  carry(from: number, to: number, arrive: () => void): void
  /** Things that were sent. */
  sent(): number
}

const quickest = 5
const healthyDelay = 50

export function createLinks({ random, now, at }: World, plan: FaultPlan): Links {
  const latest = new Map<number, number>()
  let sent = 0
  const isReordering = plan.has('reorder')
  const isCut = (from: number, to: number) =>
    plan.partitions.some((one) => one.from <= now() && now() < one.to && one.sides[from] !== one.sides[to])

  /** Without reordering nothing overtakes what was sent before it on the same way. */
  function timeOf(from: number, to: number, delay: number): number {
    const time = now() + random.between(quickest, delay)
    if (isReordering) return time
    const way = from * 64 + to
    const ordered = Math.max(time, latest.get(way) ?? 0)
    latest.set(way, ordered)
    return ordered
  }

  return {
    carry(from, to, arrive) {
      sent++
      if (now() >= plan.healAt) {
        at(timeOf(from, to, healthyDelay), arrive)
        return
      }
      if (isCut(from, to) || random.percent(plan.loss)) return
      at(timeOf(from, to, plan.delay), arrive)
      if (random.percent(plan.duplicates)) at(timeOf(from, to, plan.delay), arrive)
    },
    sent: () => sent,
  }
}
