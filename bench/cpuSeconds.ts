import { readdirSync, readFileSync } from 'node:fs'

interface Stat {
  readonly parent: number
  /** Ticks that it has taken, with those of its children that have ended. */
  readonly ticks: number
}

const ticksPerSecond = 100

/** Reads what Linux tells of a process; undefined for one that is not there. */
function statOf(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [own, ended] = [Number(fields[11]) + Number(fields[12]), Number(fields[13]) + Number(fields[14])]
    return { parent: Number(fields[1]), ticks: own + ended }
  } catch {
    return undefined
  }
}

function allPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Seconds of CPU time that a process has used, with all its threads and children; 0 where there is no /proc. */
export function cpuSeconds(pid: number): number {
  const stats = new Map(
    allPids().flatMap((one) => {
      const stat = statOf(one)
      return stat ? [[one, stat] as const] : []
    }),
  )
  const isOurs = (one: number): boolean => one === pid || (one > 1 && stats.has(one) && isOurs(stats.get(one)!.parent))
  let ticks = 0
  for (const [one, stat] of stats) if (isOurs(one)) ticks += stat.ticks
  return ticks / ticksPerSecond
}
