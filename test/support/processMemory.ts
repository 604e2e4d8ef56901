import { readFileSync } from 'node:fs'

function figure(pid: number | undefined, name: string): number | undefined {
  try {
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}

/** Resident memory of a process in megabytes, as Linux tells it; undefined where there is no such process. */
export const residentMemory = (pid: number | undefined): number | undefined => figure(pid, 'VmRSS')

/** That without pages of files, which the system takes back when it needs them: those of the database that were read. */
export const ownMemory = (pid: number | undefined): number | undefined => figure(pid, 'RssAnon')
