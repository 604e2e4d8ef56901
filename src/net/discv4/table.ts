import { equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { Enode } from '../enode.ts'

/** Nodes per bucket, and in a response to FindNode. */
export const bucketSize = 16
const replacements = 10

interface Entry {
  readonly enode: Enode
  readonly hash: Hash32
}

interface Bucket {
  /** Most recently heard from first. */
  readonly nodes: Entry[]
  /** Replacements, newest first. */
  readonly waiting: Entry[]
}

/** Nodes that answered, by distance from this node. */
export interface NodeTable {
  /** Adds a node that has just answered; if its bucket is full, it becomes a replacement. */
  add(enode: Enode): void
  remove(id: Uint8Array): void
  /** Nodes closest to a hash, closest first. */
  closest(target: Hash32, count: number): Enode[]
  /** The node of a bucket not heard from for longest; `pick` chooses one of `count` buckets. */
  stalest(pick: (count: number) => number): Enode | undefined
  nodes(): Enode[]
  has(id: Uint8Array): boolean
}

/** Creates an empty table of this node. */
export function createNodeTable(ownId: Uint8Array): NodeTable {
  const own = keccak256(ownId)
  const buckets = new Map<number, Bucket>()
  const members = new Map<string, Entry>()

  const bucketOf = (hash: Hash32): Bucket => {
    const distance = logDistance(own, hash)
    let bucket = buckets.get(distance)
    if (!bucket) buckets.set(distance, (bucket = { nodes: [], waiting: [] }))
    return bucket
  }

  return {
    add(enode) {
      if (equalBytes(enode.id, ownId)) return
      const entry = { enode, hash: keccak256(enode.id) }
      const { nodes, waiting } = bucketOf(entry.hash)
      takeOut(waiting, enode.id)
      if (takeOut(nodes, enode.id) || nodes.length < bucketSize) {
        nodes.unshift(entry)
        members.set(keyOf(enode.id), entry)
      } else {
        waiting.unshift(entry)
        waiting.length = Math.min(waiting.length, replacements)
      }
    },
    remove(id) {
      const { nodes, waiting } = bucketOf(keccak256(id))
      takeOut(waiting, id)
      if (!takeOut(nodes, id)) return
      members.delete(keyOf(id))
      const next = waiting.shift()
      if (!next) return
      nodes.push(next)
      members.set(keyOf(next.enode.id), next)
    },
    closest(target, count) {
      return [...members.values()]
        .sort((a, b) => compareDistance(target, a.hash, b.hash))
        .slice(0, count)
        .map(({ enode }) => enode)
    },
    stalest(pick) {
      const used = [...buckets.values()].filter(({ nodes }) => nodes.length)
      return used.length ? used[pick(used.length)]!.nodes.at(-1)!.enode : undefined
    },
    nodes: () => [...members.values()].map(({ enode }) => enode),
    has: (id) => members.has(keyOf(id)),
  }
}

function takeOut(entries: Entry[], id: Uint8Array): boolean {
  const at = entries.findIndex(({ enode }) => equalBytes(enode.id, id))
  if (at >= 0) entries.splice(at, 1)
  return at >= 0
}

/** Position of the first differing bit, counted from the end: 256 is farthest. */
function logDistance(a: Hash32, b: Hash32): number {
  for (let i = 0; i < 32; i++) {
    const x = a[i]! ^ b[i]!
    if (x) return 8 * (32 - i) - (Math.clz32(x) - 24)
  }
  return 0
}

/** Returns a negative number if `a` is closer to the target than `b`. */
export function compareDistance(target: Hash32, a: Hash32, b: Hash32): number {
  for (let i = 0; i < 32; i++) {
    const difference = (a[i]! ^ target[i]!) - (b[i]! ^ target[i]!)
    if (difference) return difference
  }
  return 0
}
