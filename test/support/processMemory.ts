import { readFileSync } from 'node:fs'

/** Resident memory of a process in megabytes, as Linux tells it; undefined where there is no such process. */
export function residentMemory(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}
