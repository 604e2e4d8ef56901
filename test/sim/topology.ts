import type { Random } from '../fuzz/random.ts'

/** Draws who is connected with whom, where not everyone is with everyone. */
export function drawTopology(random: Random, nodes: number): (a: number, b: number) => boolean {
  const places = Array.from({ length: nodes }, (_, i) => i)
  const order = Array.from({ length: nodes }, () => places.splice(random.below(places.length), 1)[0]!)
  const distance = (a: number, b: number) => Math.abs(order[a]! - order[b]!)
  switch (random.pick(['line', 'ring', 'star'] as const)) {
    case 'line':
      return (a, b) => distance(a, b) === 1
    case 'ring':
      return (a, b) => distance(a, b) === 1 || distance(a, b) === nodes - 1
    case 'star':
      return (a, b) => a !== b && (order[a] === 0 || order[b] === 0)
  }
}
