import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { excuseOf } from './exceptions.ts'
import type { Fault, Verdict } from './judge.ts'

/** A fault, with the first request that showed it. */
export interface Finding extends Fault {
  readonly transport: string
  readonly method: string
  readonly request: unknown
  readonly count: number
}

/** Faults by what they have in common. */
export interface Findings {
  add(transport: string, verdict: Verdict): void
  all(): readonly Finding[]
  /** How often an exception was met, by its reason. */
  excused(): ReadonlyMap<string, number>
}

export function createFindings(): Findings {
  const found = new Map<string, Finding>()
  const excused = new Map<string, number>()
  return {
    add(transport, { culprit: request, ...fault }) {
      const method = methodOf(request)
      const excuse = excuseOf(method, fault)
      if (excuse !== undefined) {
        excused.set(excuse, (excused.get(excuse) ?? 0) + 1)
        return
      }
      const key = `${transport} ${method} ${fault.law} ${fault.detail}`
      const known = found.get(key)
      found.set(key, { transport, method, request, ...fault, ...known, count: (known?.count ?? 0) + 1 })
    },
    all: () => [...found.values()],
    excused: () => excused,
  }
}

/** Of a batch the methods of all its calls, of a GraphQL query its first word. */
export function methodOf(json: unknown): string {
  if (Array.isArray(json)) return json.map(methodOf).join()
  if (typeof json !== 'object' || json === null) return ''
  const { method, query } = json as { method?: unknown; query?: unknown }
  return typeof query === 'string' ? (/\w+/.exec(query)?.[0] ?? '') : String(method ?? '')
}

export function writeFindings(file: string, seed: number, findings: readonly Finding[]): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ seed, findings }, undefined, 2)}\n`)
}
