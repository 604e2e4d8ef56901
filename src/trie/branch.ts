import { equalBytes } from '../primitives/bytes.ts'
import { type Nibbles, noNibbles } from './nibbles.ts'
import { branchRlp, type NodeRef, toRef } from './nodeRlp.ts'

/** What hangs below one nibble of a branch. */
export interface Edge {
  /** A leaf, whose key and value are in the flat tables; otherwise another branch. */
  readonly leaf: boolean
  /** Nibbles between here and the child branch: an extension node when there are any. Empty for a leaf. */
  readonly skip: Nibbles
  /** The leaf, extension or branch as the parent names it. */
  readonly ref: NodeRef
}

/** The 16 children of a branch node. Keys of equal length never end inside a branch, so it has no value. */
export type Branch = readonly (Edge | undefined)[]

/** A branch as a reader hands it out; readers may keep more beside the children. */
export interface BranchNode {
  readonly children: Branch
}

/** RLP of a branch; valid until the next node is encoded. */
export function encodeBranchRlp(branch: Branch): Uint8Array {
  return branchRlp(branch.map((edge) => edge?.ref))
}

/** How a parent without an extension in between names the branch. */
export function branchRef(branch: Branch): NodeRef {
  return toRef(encodeBranchRlp(branch))
}

export function equalEdges(a: Edge | undefined, b: Edge | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  return a.leaf === b.leaf && equalBytes(a.ref, b.ref) && equalBytes(a.skip, b.skip)
}

const leafFlag = 0x80
const embeddedFlag = 0x40
const skipMask = 0x3f

/** Bytes that `writeEdges` takes. */
function edgesLength(edges: Branch): number {
  let length = 2
  for (const edge of edges) {
    if (edge === undefined) continue
    length += 1 + ((edge.skip.length + 1) >>> 1) + (edge.ref.length === 32 ? 32 : 1 + edge.ref.length)
  }
  return length
}

/** Which children there are, then each of them: flags and length of the skip, skip, reference. */
function writeEdges(edges: Branch, out: Uint8Array, start: number): void {
  let mask = 0
  let at = start + 2
  for (let i = 0; i < 16; i++) {
    const edge = edges[i]
    if (edge === undefined) continue
    mask |= 1 << i
    const { leaf, skip, ref } = edge
    const embedded = ref.length < 32
    out[at++] = (leaf ? leafFlag : 0) | (embedded ? embeddedFlag : 0) | skip.length
    for (let n = 0; n < skip.length; n += 2) out[at++] = (skip[n]! << 4) | (skip[n + 1] ?? 0)
    if (embedded) out[at++] = ref.length
    out.set(ref, at)
    at += ref.length
  }
  out[start] = mask >>> 8
  out[start + 1] = mask
}

/** Undoes `writeEdges`; references are views into `bytes`. */
function readEdges(bytes: Uint8Array, start: number): (Edge | undefined)[] {
  const mask = (bytes[start]! << 8) | bytes[start + 1]!
  const edges: (Edge | undefined)[] = new Array(16).fill(undefined)
  let at = start + 2
  for (let i = 0; i < 16; i++) {
    if ((mask & (1 << i)) === 0) continue
    const flags = bytes[at++]!
    const skipLength = flags & skipMask
    let skip = noNibbles
    if (skipLength > 0) {
      skip = new Uint8Array(skipLength)
      for (let n = 0; n < skipLength; n++) skip[n] = n & 1 ? bytes[at + (n >>> 1)]! & 15 : bytes[at + (n >>> 1)]! >>> 4
      at += (skipLength + 1) >>> 1
    }
    const length = flags & embeddedFlag ? bytes[at++]! : 32
    edges[i] = { leaf: (flags & leafFlag) !== 0, skip, ref: bytes.subarray(at, at + length) }
    at += length
  }
  return edges
}

/** The stored form of a branch. */
export function encodeBranch(branch: Branch): Uint8Array {
  const out = new Uint8Array(edgesLength(branch))
  writeEdges(branch, out, 0)
  return out
}

/** Undoes `encodeBranch`; references are views into `bytes`. */
export function decodeBranch(bytes: Uint8Array): Branch {
  return readEdges(bytes, 0)
}

/** What turns `after` back into `before`: the children that differ, as they were. */
export function encodeBranchDiff(before: Branch, after: Branch): Uint8Array {
  let mask = 0
  const changed: (Edge | undefined)[] = new Array(16).fill(undefined)
  for (let i = 0; i < 16; i++) {
    if (equalEdges(before[i], after[i])) continue
    mask |= 1 << i
    changed[i] = before[i]
  }
  const out = new Uint8Array(2 + edgesLength(changed))
  out[0] = mask >>> 8
  out[1] = mask
  writeEdges(changed, out, 2)
  return out
}

/** The earlier branch, from the later one and what `encodeBranchDiff` kept. */
export function applyBranchDiff(after: Branch, diff: Uint8Array): Branch {
  const mask = (diff[0]! << 8) | diff[1]!
  const changed = readEdges(diff, 2)
  return after.map((edge, i) => (mask & (1 << i) ? changed[i] : edge))
}
