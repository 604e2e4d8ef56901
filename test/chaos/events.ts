import type { Random } from '../fuzz/random.ts'

/** What happens to the network. Times are in milliseconds. */
export type ChaosEvent =
  | { readonly kind: 'kill'; readonly nodes: readonly number[]; readonly down: readonly number[] }
  | { readonly kind: 'pause'; readonly nodes: readonly number[]; readonly time: number }
  | { readonly kind: 'partition'; readonly groups: readonly (readonly number[])[]; readonly time: number }
  | { readonly kind: 'slow'; readonly delay: number; readonly time: number }
  | { readonly kind: 'clock'; readonly node: number; readonly offset: number; readonly time: number }
  | { readonly kind: 'fullDisk'; readonly time: number }
export type EventKind = ChaosEvent['kind']

export interface EventOptions {
  readonly validators: number
  /** What this machine can do. */
  readonly kinds: ReadonlySet<EventKind>
}

/** An event, and how long after it the next one comes. */
export interface Planned {
  readonly event: ChaosEvent
  readonly wait: number
}

const weights: Readonly<Record<EventKind, number>> = {
  kill: 68,
  pause: 10,
  partition: 8,
  slow: 4,
  clock: 6,
  fullDisk: 4,
}

/** The plan of a seed, event by event without end. */
export function* planEvents(random: Random, { validators, kinds }: EventOptions): Generator<Planned> {
  const all = Array.from({ length: validators }, (_, i) => i)
  const shuffled = () =>
    all
      .map((node) => [random.below(1 << 30), node] as const)
      .sort(([a], [b]) => a - b)
      .map(([, node]) => node)
  const some = (count: number) => shuffled().slice(0, count)

  function next(kind: EventKind): ChaosEvent {
    switch (kind) {
      case 'kill': {
        const nodes = some(
          random.weighted([
            [6, 1],
            [3, random.between(2, validators - 1)],
            [2, validators],
          ]),
        )
        return { kind, nodes, down: nodes.map(() => (random.percent(60) ? 0 : random.between(200, 4000))) }
      }
      case 'pause':
        return { kind, nodes: some(random.between(1, 2)), time: random.between(500, 8000) }
      case 'partition': {
        const order = shuffled()
        const cut = random.between(1, validators - 1)
        return { kind, groups: [order.slice(0, cut), order.slice(cut)], time: random.between(2000, 10_000) }
      }
      case 'slow':
        return { kind, delay: random.between(50, 600), time: random.between(3000, 10_000) }
      case 'clock':
        return { kind, node: random.below(validators), offset: random.pick([-30_000, -3000, 3000, 30_000]), time: 8000 }
      case 'fullDisk':
        return { kind, time: random.between(3000, 8000) }
    }
  }

  const list = [...kinds].map((kind) => [weights[kind], kind] as const)
  for (;;) yield { event: next(random.weighted(list)), wait: random.between(1200, 5000) }
}

/** An event in a few words. */
export function describeEvent(event: ChaosEvent): string {
  switch (event.kind) {
    case 'kill':
      return `kill -9 ${event.nodes.join()}, started again after ${event.down.join()} ms`
    case 'pause':
      return `SIGSTOP ${event.nodes.join()} for ${event.time} ms`
    case 'partition':
      return `partition ${event.groups.map((group) => group.join()).join(' | ')} for ${event.time} ms`
    case 'slow':
      return `frames take ${event.delay} ms for ${event.time} ms`
    case 'clock':
      return `clock of ${event.node} by ${event.offset} ms for ${event.time} ms`
    case 'fullDisk':
      return `full disk for ${event.time} ms`
  }
}
