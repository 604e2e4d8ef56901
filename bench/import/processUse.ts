import { readFileSync } from 'node:fs'

/** What a process has taken so far, as far as the system tells. */
export interface ProcessUse {
  readonly cpuSeconds?: number
  readonly peakBytes?: number
  /** Without what is mapped from files, which the system may take back at any time. */
  readonly peakOwnBytes?: number
}

const ticksPerSecond = 100
const everyMilliseconds = 100

/** Watches another process; the answer is what it had taken shortly before its end. */
export function watchProcess(pid: number): { stop(): ProcessUse } {
  let use: ProcessUse = {}
  const timer = setInterval(() => {
    const now = readUse(pid)
    if (now) use = { ...now, peakOwnBytes: Math.max(now.peakOwnBytes ?? 0, use.peakOwnBytes ?? 0) }
  }, everyMilliseconds)
  return {
    stop() {
      clearInterval(timer)
      return use
    },
  }
}

function readUse(pid: number): ProcessUse | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
    const own = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]
    // Fields 14 and 15 of stat(5); the second field is the program's name in parentheses and may contain anything.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    if (peak === undefined) return undefined
    return {
      cpuSeconds: (Number(user) + Number(system)) / ticksPerSecond,
      peakBytes: Number(peak) * 1024,
      ...(own !== undefined && { peakOwnBytes: Number(own) * 1024 }),
    }
  } catch {
    return undefined
  }
}
