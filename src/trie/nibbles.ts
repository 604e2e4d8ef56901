/** The half-bytes of a key, one per element: a path in the trie. */
export type Nibbles = Uint8Array

export function toNibbles(bytes: Uint8Array): Nibbles {
  const out = new Uint8Array(bytes.length * 2)
  for (let i = 0; i < bytes.length; i++) {
    out[2 * i] = bytes[i]! >>> 4
    out[2 * i + 1] = bytes[i]! & 15
  }
  return out
}

/** Packs two nibbles per byte; an odd number is padded with a zero nibble. */
export function packNibbles(nibbles: Nibbles): Uint8Array {
  const out = new Uint8Array((nibbles.length + 1) >>> 1)
  for (let i = 0; i < nibbles.length; i++) out[i >>> 1]! |= i & 1 ? nibbles[i]! : nibbles[i]! << 4
  return out
}

/** Returns the length of the common prefix of `a` from `from` on and `b`. */
export function sharedNibbles(a: Nibbles, from: number, b: Nibbles): number {
  const limit = Math.min(a.length - from, b.length)
  let n = 0
  while (n < limit && a[from + n] === b[n]) n++
  return n
}

export function startsWithNibbles(a: Nibbles, prefix: Nibbles): boolean {
  return sharedNibbles(a, 0, prefix) === prefix.length
}

/** Concatenates `path`, one nibble and `rest`. */
export function joinNibbles(path: Nibbles, nibble: number, rest: Nibbles = noNibbles): Nibbles {
  const out = new Uint8Array(path.length + 1 + rest.length)
  out.set(path, 0)
  out[path.length] = nibble
  out.set(rest, path.length + 1)
  return out
}

export const noNibbles: Nibbles = new Uint8Array(0)

/**
 * Writes the hex-prefix encoding (yellow paper, appendix C) of `path[from..to)` so that it ends at `end`; returns its
 * start. The encoding is a flag nibble, a padding nibble if the length is even, then the path.
 */
export function writeHexPrefix(
  path: Nibbles,
  from: number,
  to: number,
  leaf: boolean,
  out: Uint8Array,
  end: number,
): number {
  let at = end
  let i = to
  while (i - from >= 2) {
    out[--at] = (path[i - 2]! << 4) | path[i - 1]!
    i -= 2
  }
  const flag = leaf ? 0x20 : 0
  out[--at] = i > from ? flag | 0x10 | path[from]! : flag
  return at
}

export function concatNibbles(a: Nibbles, b: Nibbles): Nibbles {
  const out = new Uint8Array(a.length + b.length)
  out.set(a, 0)
  out.set(b, a.length)
  return out
}

export function compareNibbles(a: Nibbles, b: Nibbles): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}
