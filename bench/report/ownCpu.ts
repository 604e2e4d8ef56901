import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100
const everyMilliseconds = 1000

/** CPU time of this process and of all that it starts, also of those whose starter has ended. */
export interface OwnCpu {
  seconds(): number
  stop(): void
}

/** Children inherit it, so that those of a script that has ended are known. */
const mark = 'QUOIN_BENCH_PROCESS'

export function createOwnCpu(): OwnCpu {
  process.env[mark] = String(process.pid)
  // What they had taken when they were last seen: the system forgets those that end.
  const orphans = new Map<string, number>()
  const look = () => {
    for (const [pid, ticks] of markedOrphans()) orphans.set(pid, ticks)
  }
  const timer = setInterval(look, everyMilliseconds)
  timer.unref()
  return {
    seconds() {
      look()
      const { user, system } = process.cpuUsage()
      const ended = readStat('self')?.ended ?? 0
      const left = [...orphans.values()].reduce((sum, ticks) => sum + ticks, 0)
      return (user + system) / 1e6 + (ended + left) / ticksPerSecond
    },
    stop: () => clearInterval(timer),
  }
}

/** Processes with our mark that the first process of the system has taken over, and their CPU time. */
function markedOrphans(): [pid: string, ticks: number][] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const stat = readStat(pid)
        return stat?.parent === 1 && isMarked(pid) ? [[pid, stat.own + stat.ended]] : []
      })
  } catch {
    return []
  }
}

function isMarked(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${mark}=${process.pid}`)
  } catch {
    return false
  }
}

/** A process: its parent, its CPU time, and that of its children that have ended; in ticks. */
function readStat(pid: string): { parent: number; own: number; ended: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may contain anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! }
  } catch {
    return undefined
  }
}
