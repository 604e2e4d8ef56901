import { setTimeout as delay } from 'node:timers/promises'
import type { Arena } from './arena.ts'
import type { ChaosEvent, EventKind } from './events.ts'

/** Does to the network what the plan says, and undoes it. */
export interface Deeds {
  readonly kinds: ReadonlySet<EventKind>
  /** Begins an event; it ends by itself. */
  begin(event: ChaosEvent): void
  /** Resolves when all events are over and all nodes are started. */
  settle(): Promise<void>
  /** Whether a node should answer now. */
  isUp(node: number): boolean
  readonly counts: ReadonlyMap<string, number>
}

export interface DeedsOptions {
  readonly arena: Arena
  onStart(node: number): void
}

export function createDeeds({ arena, onStart }: DeedsOptions): Deeds {
  const { fighters, partition, setDelay, disk } = arena
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const underWay = new Set<Promise<void>>()
  /** Nodes that something else is done to. */
  const busy = new Set<number>()
  const held = new Set<EventKind>()
  const withDisk = fighters.length - 1

  async function kill(node: number, down: number): Promise<void> {
    if (busy.has(node)) return
    busy.add(node)
    count('kill -9')
    await fighters[node]!.process.kill()
    await delay(down)
    fighters[node]!.process.start()
    onStart(node)
    count('restarts')
    busy.delete(node)
  }

  async function pause(node: number, time: number): Promise<void> {
    const pid = fighters[node]!.process.pid()
    if (busy.has(node) || pid === undefined) return
    busy.add(node)
    count('SIGSTOP')
    process.kill(pid, 'SIGSTOP')
    await delay(time)
    process.kill(pid, 'SIGCONT')
    busy.delete(node)
  }

  /** One event of a kind at a time. */
  async function hold(kind: EventKind, time: number, begin: () => void, end: () => void): Promise<void> {
    if (held.has(kind)) return
    held.add(kind)
    count(kind)
    begin()
    await delay(time)
    end()
    held.delete(kind)
  }

  async function fillDisk(time: number): Promise<void> {
    if (busy.has(withDisk)) return
    // A node that is killed now could not start again: that is another story.
    busy.add(withDisk)
    await hold(
      'fullDisk',
      time,
      () => disk!.fill(),
      () => disk!.free(),
    )
    busy.delete(withDisk)
  }

  function perform(event: ChaosEvent): Promise<void>[] {
    switch (event.kind) {
      case 'kill':
        return event.nodes.map((node, i) => kill(node, event.down[i]!))
      case 'pause':
        return event.nodes.map((node) => pause(node, event.time))
      case 'partition':
        return [
          hold(
            event.kind,
            event.time,
            () => partition!(...event.groups),
            () => partition!(),
          ),
        ]
      case 'slow':
        return [
          hold(
            event.kind,
            event.time,
            () => setDelay!(event.delay),
            () => setDelay!(0),
          ),
        ]
      case 'clock': {
        const { setClock } = fighters[event.node]!
        return [
          hold(
            event.kind,
            event.time,
            () => setClock(event.offset),
            () => setClock(0),
          ),
        ]
      }
      case 'fullDisk':
        return [fillDisk(event.time)]
    }
  }

  const possible: readonly [EventKind, boolean][] = [
    ['kill', true],
    ['pause', true],
    ['partition', partition !== undefined],
    ['slow', setDelay !== undefined],
    ['clock', true],
    ['fullDisk', disk !== undefined],
  ]
  return {
    kinds: new Set(possible.filter(([, can]) => can).map(([kind]) => kind)),
    begin(event) {
      for (const deed of perform(event)) {
        const tracked = deed.finally(() => underWay.delete(tracked))
        underWay.add(tracked)
      }
    },
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    isUp: (node) => !busy.has(node) || (node === withDisk && held.has('fullDisk')),
    counts,
  }
}
