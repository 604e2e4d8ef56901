import { cutBytes, cutCopy } from '../primitives/slab.ts'
import { type Nibbles, noNibbles } from './nibbles.ts'
import { fullBranchRlp, type NodeRef, storedBranchRlp, toRef } from './nodeRlp.ts'

/** The child below one nibble of a branch. */
export interface Edge {
  /** True for a leaf, whose key and value are in the flat tables; false for another branch. */
  readonly leaf: boolean
  /** Nibbles between this branch and the child branch: an extension node if not empty. Empty for a leaf. */
  readonly skip: Nibbles
  /** The parent's reference to the leaf, extension or branch. */
  readonly ref: NodeRef
}

/**
 * The children of a branch node in their stored form. Updates work on this form too: most children of a changed branch
 * stay the same and are never decoded. Two bytes say which nibbles have a child (bit i for nibble i); each
 * child is a byte of flags and length of the skip, the skip packed, the reference (led by its length if embedded). Keys
 * of equal length never end inside a branch, so it has no value.
 */
export type Branch = Uint8Array

/** A branch as a reader returns it; readers may add fields of their own. */
export interface BranchNode {
  readonly children: Branch
}

/** A branch without children. */
export const emptyBranch: Branch = new Uint8Array(2)

const maskLength = 2
const leafFlag = 0x80
const embeddedFlag = 0x40
const skipMask = 0x3f
/** Length of a child with a digest and no skip, and of a branch with sixteen of them. */
const plainEdge = 33
const fullLength = maskLength + 16 * plainEdge

/** Bit i is set where nibble i has a child. */
export function childMask(branch: Branch): number {
  return (branch[0]! << 8) | branch[1]!
}

function refStart(bytes: Uint8Array, at: number): number {
  const flags = bytes[at]!
  return at + 1 + (((flags & skipMask) + 1) >>> 1) + (flags & embeddedFlag ? 1 : 0)
}

function edgeEnd(bytes: Uint8Array, at: number): number {
  const start = refStart(bytes, at)
  return start + (bytes[at]! & embeddedFlag ? bytes[start - 1]! : 32)
}

/** Returns the offset of the child below `nibble`; 0 if there is none. */
function edgeStart(branch: Branch, nibble: number): number {
  const mask = childMask(branch)
  if ((mask & (1 << nibble)) === 0) return 0
  let at = maskLength
  for (let i = 0; i < nibble; i++) if (mask & (1 << i)) at = edgeEnd(branch, at)
  return at
}

function skipAt(branch: Branch, at: number): Nibbles {
  const length = branch[at]! & skipMask
  if (length === 0) return noNibbles
  const skip = new Uint8Array(length)
  for (let n = 0; n < length; n++) {
    const pair = branch[at + 1 + (n >>> 1)]!
    skip[n] = n & 1 ? pair & 15 : pair >>> 4
  }
  return skip
}

/** Returns the child below `nibble`; its reference is a view into `branch`. */
export function edgeOf(branch: Branch, nibble: number): Edge | undefined {
  const at = edgeStart(branch, nibble)
  if (at === 0) return undefined
  const ref = branch.subarray(refStart(branch, at), edgeEnd(branch, at))
  return { leaf: (branch[at]! & leafFlag) !== 0, skip: skipAt(branch, at), ref }
}

/** Returns the nibbles between `nibble` and the branch below it; 'leaf' or 'nothing' if there is no branch. */
export function pathBelow(branch: Branch, nibble: number): Nibbles | 'leaf' | 'nothing' {
  const at = edgeStart(branch, nibble)
  if (at === 0) return 'nothing'
  return branch[at]! & leafFlag ? 'leaf' : skipAt(branch, at)
}

/** Encodes a branch with these children, in the order of the nibbles in `mask`. */
export function encodeBranch(mask: number, edges: readonly Edge[]): Branch {
  let length = maskLength
  for (const edge of edges) length += edgeLength(edge)
  const out = cutBytes(length)
  setMask(out, 0, mask)
  let at = maskLength
  for (const edge of edges) at = writeEdge(edge, out, at)
  return out
}

function edgeLength({ skip, ref }: Edge): number {
  return 1 + ((skip.length + 1) >>> 1) + (ref.length === 32 ? 32 : 1 + ref.length)
}

function setMask(out: Uint8Array, at: number, mask: number): void {
  out[at] = mask >>> 8
  out[at + 1] = mask
}

function writeEdge({ leaf, skip, ref }: Edge, out: Uint8Array, start: number): number {
  const embedded = ref.length < 32
  let at = start
  out[at++] = (leaf ? leafFlag : 0) | (embedded ? embeddedFlag : 0) | skip.length
  for (let n = 0; n < skip.length; n += 2) out[at++] = (skip[n]! << 4) | (skip[n + 1] ?? 0)
  if (embedded) out[at++] = ref.length
  for (let n = 0; n < ref.length; n++) out[at + n] = ref[n]!
  return at + ref.length
}

/** Returns `base` with the children in `mask` replaced by those in `present`; of the others there is none any more. */
export function withChildren(base: Branch, mask: number, present: number, edges: readonly Edge[]): Branch {
  const replaced = present === mask ? withinPlaces(base, mask, edges) : undefined
  return replaced ?? mergeBranches(base, mask, encodeBranch(present, edges))
}

/** The same if each of the children takes the place of another one that is as long; undefined if not. */
function withinPlaces(base: Branch, mask: number, edges: readonly Edge[]): Branch | undefined {
  const baseMask = childMask(base)
  if ((baseMask & mask) !== mask) return undefined
  const out = cutCopy(base)
  let at = maskLength
  let next = 0
  for (let bit = 1; next < edges.length; bit <<= 1) {
    if ((baseMask & bit) === 0) continue
    const end = edgeEnd(base, at)
    if (mask & bit) {
      const edge = edges[next++]!
      if (edgeLength(edge) !== end - at) return undefined
      writeEdge(edge, out, at)
    }
    at = end
  }
  return out
}

/** Returns `base` with the children in `mask` replaced by those of `other`; a child that `other` lacks is removed. */
function mergeBranches(base: Branch, mask: number, other: Branch): Branch {
  const baseMask = childMask(base)
  const otherMask = childMask(other)
  const out = cutBytes(base.length + other.length)
  setMask(out, 0, (baseMask & ~mask) | (otherMask & mask))
  let to = maskLength
  let baseAt = maskLength
  let otherAt = maskLength
  for (let i = 0, bit = 1; i < 16; i++, bit <<= 1) {
    const baseEnd = baseMask & bit ? edgeEnd(base, baseAt) : baseAt
    const otherEnd = otherMask & bit ? edgeEnd(other, otherAt) : otherAt
    if (mask & bit) for (let n = otherAt; n < otherEnd; n++) out[to++] = other[n]!
    else for (let n = baseAt; n < baseEnd; n++) out[to++] = base[n]!
    baseAt = baseEnd
    otherAt = otherEnd
  }
  return out.subarray(0, to)
}

const starts = new Int32Array(16)
const ends = new Int32Array(16)

/** Whether there are all sixteen children, and nothing but flags before the digest of each. */
function isFull(branch: Branch): boolean {
  if (branch.length !== fullLength) return false
  for (let at = maskLength; at < fullLength; at += plainEdge) if (branch[at]! & ~leafFlag) return false
  return true
}

/** Encodes a branch as RLP; the result is valid until the next node is encoded. */
export function branchNodeRlp(branch: Branch): Uint8Array {
  if (isFull(branch)) return fullBranchRlp(branch.subarray(maskLength))
  const mask = childMask(branch)
  let at = maskLength
  for (let i = 0; i < 16; i++) {
    starts[i] = ends[i] = 0
    if ((mask & (1 << i)) === 0) continue
    starts[i] = refStart(branch, at)
    at = ends[i] = edgeEnd(branch, at)
  }
  return storedBranchRlp(branch, starts, ends)
}

/** Returns the reference to the branch from a parent without an extension in between. */
export function branchRef(branch: Branch): NodeRef {
  return toRef(branchNodeRlp(branch))
}

/** Encodes what turns a later branch back into `before`: the nibbles in `mask`, which differ (2 bytes), their children as a branch. */
export function encodeBranchDiff(before: Branch, mask: number): Uint8Array {
  const beforeMask = childMask(before)
  const out = cutBytes(maskLength + before.length)
  setMask(out, 0, mask)
  setMask(out, maskLength, beforeMask & mask)
  let to = 2 * maskLength
  let at = maskLength
  for (let bit = 1; bit <= mask; bit <<= 1) {
    if ((beforeMask & bit) === 0) continue
    const end = edgeEnd(before, at)
    if (mask & bit) for (let n = at; n < end; n++) out[to++] = before[n]!
    at = end
  }
  return out.subarray(0, to)
}

/** Returns the earlier branch from the later one and the difference of `encodeBranchDiff`. */
export function applyBranchDiff(after: Branch, diff: Uint8Array): Branch {
  return mergeBranches(after, childMask(diff), diff.subarray(maskLength))
}
