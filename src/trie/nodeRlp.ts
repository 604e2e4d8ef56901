import { keccak256 } from '../primitives/keccak.ts'
import { type Nibbles, writeHexPrefix } from './nibbles.ts'

/** A parent's reference to a node: its 32-byte digest, or its RLP if that is shorter than 32 bytes. */
export type NodeRef = Uint8Array

/** References to the children of a branch; undefined for no child. */
export type ChildRefs = readonly (NodeRef | undefined)[]

// Nodes are encoded from right to left, so that lengths are known when the headers are written.
let buffer = new Uint8Array(1024)
let at = 0

function begin(size: number): void {
  if (size > buffer.length) buffer = new Uint8Array(size * 2)
  at = buffer.length
}

function putBytes(bytes: Uint8Array): void {
  at -= bytes.length
  buffer.set(bytes, at)
}

function putHeader(length: number, offset: 0x80 | 0xc0): void {
  if (length < 56) {
    buffer[--at] = offset + length
    return
  }
  let size = 0
  for (let rest = length; rest > 0; rest >>>= 8) {
    buffer[--at] = rest
    size++
  }
  buffer[--at] = offset + 55 + size
}

function putString(bytes: Uint8Array): void {
  putBytes(bytes)
  if (bytes.length !== 1 || bytes[0]! >= 0x80) putHeader(bytes.length, 0x80)
}

function putRef(ref: NodeRef | undefined): void {
  if (ref === undefined) buffer[--at] = 0x80
  else {
    putBytes(ref)
    if (ref.length === 32) buffer[--at] = 0xa0
  }
}

function putPath(key: Nibbles, from: number, to: number, leaf: boolean): void {
  const end = at
  at = writeHexPrefix(key, from, to, leaf, buffer, end)
  // A single byte is always below 0x80 here and is its own encoding.
  if (end - at > 1) putHeader(end - at, 0x80)
}

function finishList(): Uint8Array {
  putHeader(buffer.length - at, 0xc0)
  return buffer.subarray(at)
}

/** Encodes a leaf whose path is `key` from `from` on; valid until the next node is encoded. */
export function leafRlp(key: Nibbles, from: number, value: Uint8Array): Uint8Array {
  begin(value.length + key.length + 32)
  putString(value)
  putPath(key, from, key.length, true)
  return finishList()
}

/** Encodes an extension along `path[from..to)`; valid until the next node is encoded. */
export function extensionRlp(path: Nibbles, from: number, to: number, child: NodeRef): Uint8Array {
  begin(path.length + 96)
  putRef(child)
  putPath(path, from, to, false)
  return finishList()
}

/** Encodes a branch; valid until the next node is encoded. */
export function branchRlp(children: ChildRefs, value?: Uint8Array): Uint8Array {
  begin(560 + (value?.length ?? 0))
  if (value === undefined) buffer[--at] = 0x80
  else putString(value)
  for (let i = 15; i >= 0; i--) putRef(children[i])
  return finishList()
}

/** Encodes a branch whose references are at `bytes[starts[i]..ends[i])`, empty for no child. */
export function storedBranchRlp(bytes: Uint8Array, starts: Int32Array, ends: Int32Array): Uint8Array {
  begin(560)
  buffer[--at] = 0x80
  for (let i = 15; i >= 0; i--) {
    const start = starts[i]!
    const end = ends[i]!
    if (start === end) {
      buffer[--at] = 0x80
      continue
    }
    for (let n = end - 1; n >= start; n--) buffer[--at] = bytes[n]!
    if (end - start === 32) buffer[--at] = 0xa0
  }
  return finishList()
}

/** Encodes a branch with all sixteen children, whose references have a byte each before them. */
export function fullBranchRlp(children: Uint8Array): Uint8Array {
  begin(560)
  buffer[--at] = 0x80
  putBytes(children)
  for (let i = 0; i < children.length; i += 33) buffer[at + i] = 0xa0
  return finishList()
}

/** Returns the reference to a node that was just encoded. */
export function toRef(rlp: Uint8Array): NodeRef {
  return rlp.length < 32 ? rlp.slice() : keccak256(rlp)
}
