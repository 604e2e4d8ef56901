import type { Random } from '../fuzz/random.ts'

/** Networks in which not everyone is connected with everyone; in `oneway` some connections carry what is sent in one direction only. */
export const topologyNames = ['line', 'ring', 'star', 'tree', 'oneway'] as const
export type TopologyName = (typeof topologyNames)[number]

/** Draws who is connected with whom; those who are away connect nobody. */
export function drawTopology(
  random: Random,
  nodes: number,
  away: ReadonlySet<number>,
  kind: TopologyName = random.pick(topologyNames),
): (from: number, to: number) => boolean {
  const places = Array.from({ length: nodes }, (_, i) => i).filter((node) => !away.has(node))
  const order = Array.from({ length: places.length }, () => places.splice(random.below(places.length), 1)[0]!)
  const ways = new Set<number>()
  const open = (from: number, to: number) => void ways.add(order[from]! * nodes + order[to]!)
  const connect = (a: number, b: number) => {
    open(a, b)
    open(b, a)
  }
  const last = order.length - 1
  for (let i = 1; i <= last; i++)
    connect(i, kind === 'line' || kind === 'ring' ? i - 1 : kind === 'star' ? 0 : random.below(i))
  if (kind === 'ring' && last > 1) connect(0, last)
  if (kind === 'oneway')
    for (let a = 0; a <= last; a++) for (let b = 0; b <= last; b++) if (a !== b && random.percent(30)) open(a, b)
  return (from, to) => ways.has(from * nodes + to)
}
