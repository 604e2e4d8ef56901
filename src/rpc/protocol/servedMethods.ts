import type { DispatchOptions } from './dispatcher.ts'
import { type Method, namespaceOf } from './method.ts'
import { leavesChain, mayTakeLong } from './onlyReads.ts'

/** A method, with what is the same for all of its calls. */
export interface Served {
  readonly method: Method
  /** Whether readers can answer it, and may have to because it can take long. */
  readonly mayTakeLong: boolean
  /** Whether the view of the chain is kept open until the reply is sent. */
  readonly isHeld: boolean
  /** Whether it leaves the chain as it is. */
  readonly leavesChain: boolean
}

/** The methods of the namespaces that are enabled, by name. */
export function servedMethods({
  methods,
  namespaces,
  readers,
  hold,
}: Pick<DispatchOptions, 'methods' | 'namespaces' | 'readers' | 'hold'>): ReadonlyMap<string, Served> {
  const enabled = new Set(namespaces)
  const served = new Map<string, Served>()
  for (const method of methods)
    if (isEnabled(method, enabled))
      served.set(method.name, {
        method,
        mayTakeLong: readers !== undefined && mayTakeLong(method),
        isHeld: hold !== undefined && method.needs.includes('chain'),
        leavesChain: leavesChain(method),
      })
  return served
}

function isEnabled({ always, name, alsoIn }: Method, enabled: ReadonlySet<string>): boolean {
  if (always) return enabled.size > 0
  return enabled.has(namespaceOf(name)) || (alsoIn !== undefined && enabled.has(alsoIn))
}
