import { equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { decodeNode, type TrieNode } from '../../trie/decodeNode.ts'
import { concatNibbles, joinNibbles, type Nibbles, noNibbles, packNibbles } from '../../trie/nibbles.ts'
import { refAt } from '../../trie/nodeAt.ts'
import type { NodeRef } from '../../trie/nodeRlp.ts'
import type { TrieReader } from '../../trie/trieReader.ts'
import { emptyTrieRoot } from '../../types/account.ts'

/** A node that is to be fetched: where it is, and the digest that its parent has of it. */
export interface WantedNode {
  readonly path: Nibbles
  readonly ref: NodeRef
}

/** What is found to be different: both are said of parts of the trie that do not overlap. */
export interface HealSink {
  /** The only key that begins with `prefix` is this one. */
  replace(prefix: Nibbles, key: Hash32, value: Uint8Array): void
  /** No key begins with `prefix`. */
  clear(prefix: Nibbles): void
}

/** The trie of a peer has a node that no trie of a state has: its root is none of a state. */
const notAState = 'the trie is not that of a state'

/**
 * Compares the trie that is here with one of which only the root is known, from the root on: where both have the same
 * node they are the same below. The nodes that differ are fetched from peers.
 */
export class TrieHealing {
  private readonly local: TrieReader
  private readonly sink: HealSink
  private wanted: WantedNode[] = []
  private readonly asked = new Map<string, WantedNode>()

  constructor(local: TrieReader, root: Hash32, sink: HealSink) {
    this.local = local
    this.sink = sink
    if (equalBytes(root, emptyTrieRoot)) sink.clear(noNibbles)
    else this.follow(noNibbles, root)
  }

  isDone(): boolean {
    return this.wanted.length === 0 && this.asked.size === 0
  }

  /** Nodes to ask for now, at most `max`, deepest first: so that few wait. */
  take(max: number): WantedNode[] {
    const taken = this.wanted.splice(-max, max)
    for (const node of taken) this.asked.set(keyOf(node.path), node)
    return taken
  }

  /** Nodes that did not come are to be asked for again. */
  giveBack(nodes: readonly WantedNode[]): void {
    for (const node of nodes) if (this.asked.delete(keyOf(node.path))) this.wanted.push(node)
  }

  /** Takes a node that was asked for, whose digest is right. */
  receive({ path }: WantedNode, rlp: Uint8Array): void {
    if (this.asked.delete(keyOf(path))) this.visit(path, decodeNode(rlp))
  }

  private follow(path: Nibbles, ref: NodeRef): void {
    const here = refAt(this.local, path)
    if (here !== undefined && equalBytes(here, ref)) return
    if (ref.length < 32) this.visit(path, decodeNode(ref))
    else this.wanted.push({ path, ref: ref.slice() })
  }

  private visit(path: Nibbles, node: TrieNode): void {
    if (node.kind === 'leaf') {
      const key = concatNibbles(path, node.path)
      if (key.length !== 64) throw new Error(notAState)
      this.sink.replace(path, packNibbles(key) as Hash32, node.value.slice())
    } else if (node.kind === 'extension') {
      const below = concatNibbles(path, node.path)
      if (below.length >= 64) throw new Error(notAState)
      for (let depth = path.length; depth < below.length; depth++)
        this.clearBeside(below.slice(0, depth), below[depth]!)
      this.follow(below, node.child)
    } else {
      if (path.length >= 64) throw new Error(notAState)
      for (const [nibble, ref] of node.children.entries()) {
        const below = joinNibbles(path, nibble)
        if (ref === undefined) this.sink.clear(below)
        else this.follow(below, ref)
      }
    }
  }

  private clearBeside(path: Nibbles, kept: number): void {
    for (let nibble = 0; nibble < 16; nibble++) if (nibble !== kept) this.sink.clear(joinNibbles(path, nibble))
  }
}

/** Finds the nodes of a response among those that were asked for, in their order; undefined if there are others. */
export function matchNodes(
  asked: readonly WantedNode[],
  nodes: readonly Uint8Array[],
): readonly (Uint8Array | undefined)[] | undefined {
  const found: (Uint8Array | undefined)[] = asked.map(() => undefined)
  let at = 0
  for (const node of nodes) {
    // A node that the peer does not have.
    if (node.length === 0) continue
    const digest = keccak256(node)
    while (at < asked.length && !equalBytes(asked[at]!.ref, digest)) at++
    if (at === asked.length) return undefined
    found[at++] = node
  }
  return found
}
