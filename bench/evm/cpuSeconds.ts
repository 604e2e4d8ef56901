import { openSync, readSync } from 'node:fs'

/** A clock of the CPU time of the main thread, in seconds; where the system does not tell it, that of the process. */
export function createCpuClock(): () => number {
  const processSeconds = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  let file: number
  try {
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return processSeconds
  }
  const text = Buffer.alloc(64)
  return () => {
    // Asking for the usage brings the kernel's count up to date.
    process.cpuUsage()
    const length = readSync(file, text, 0, text.length, 0)
    return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e9
  }
}
