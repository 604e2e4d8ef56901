import type { RlpItem } from '../../../src/primitives/rlp.ts'

/** Length of an item's RLP, by the definition and nothing else: the second opinion on every size. */
export function naiveSize(item: RlpItem): number {
  if (item instanceof Uint8Array) return item.length === 1 && item[0]! < 0x80 ? 1 : withPrefix(item.length)
  let payload = 0
  for (const member of item) payload += naiveSize(member)
  return withPrefix(payload)
}

/** Up to 55 bytes have one byte before them; more have one, and those of their length. */
export function withPrefix(payload: number): number {
  if (payload <= 55) return 1 + payload
  let bytesOfLength = 0
  for (let rest = payload; rest > 0; rest = Math.floor(rest / 256)) bytesOfLength++
  return 1 + bytesOfLength + payload
}
