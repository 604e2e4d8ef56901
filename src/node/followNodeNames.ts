import type { Enode } from '../net/enode.ts'
import type { LookUp } from '../permissioning/nodeEntry.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'

export interface FollowParts {
  readonly lookUp: LookUp
  readonly clock: Clock
  readonly log: Logger
  /** Connects to a node; returns whether it was unknown at this address. */
  add(enode: Enode): boolean | undefined
}

/** Milliseconds between two looks: a pod that starts has a name soon. */
const lookEvery = 10_000

/** Looks up the host names of nodes again and again and connects to where they are now; returns a function that ends this. */
export function followNodeNames(nodes: readonly Enode[], { lookUp, clock, log, add }: FollowParts): () => void {
  let stopped = false
  let cancel = clock.after(lookEvery, look)

  async function lookUpAll(): Promise<void> {
    for (const node of nodes) {
      const ip = await lookUp(node.ip)
      if (stopped) return
      if (ip !== undefined && add({ ...node, ip })) log.info({ host: node.ip, ip }, 'host {host} has the address {ip}')
    }
  }

  function look(): void {
    lookUpAll()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'host names not looked up'))
      .finally(() => {
        if (!stopped) cancel = clock.after(lookEvery, look)
      })
  }

  return () => {
    stopped = true
    cancel()
  }
}
