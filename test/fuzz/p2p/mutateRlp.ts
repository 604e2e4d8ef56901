import { encodeRlp, type RlpItem } from '../../../src/primitives/rlp.ts'
import type { Random } from '../random.ts'

const lengths = [0, 1, 8, 9, 20, 31, 32, 33, 55, 56, 64, 65, 255, 256, 4096]
/** Members of a list that is made long. */
const manyMembers = 300

/** The item with one change somewhere in it. */
export function mutateRlp(random: Random, item: RlpItem): RlpItem {
  if (item instanceof Uint8Array) return random.percent(15) ? [item] : mutateBytes(random, item)
  const at = random.below(item.length)
  if (item.length > 0 && random.percent(70)) return item.with(at, mutateRlp(random, item[at]!))
  switch (random.below(6)) {
    case 0:
      return item.toSpliced(at, 1)
    case 1:
      return item.toSpliced(at, 0, anyBytes(random))
    case 2:
      return [...item, ...item]
    case 3:
      return item.length === 0 ? item : Array.from({ length: manyMembers }, (_, i) => item[i % item.length]!)
    case 4:
      return anyBytes(random)
    default:
      return []
  }
}

const anyBytes = (random: Random) => random.bytes(random.pick(lengths))

/** Bytes with one change: a bit, a byte, their length, or all of them. */
export function mutateBytes(random: Random, bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return anyBytes(random)
  const at = random.below(bytes.length)
  switch (random.below(7)) {
    case 0:
      return bytes.with(at, bytes[at]! ^ (1 << random.below(8)))
    case 1:
      return bytes.with(at, random.pick([0, 0x7f, 0x80, 0xb8, 0xc0, 0xf8, 0xff]))
    case 2:
      return bytes.slice(0, at)
    case 3:
      return Uint8Array.from([...bytes, ...anyBytes(random)])
    case 4:
      return Uint8Array.from([0, ...bytes])
    case 5:
      return bytes.map(() => random.pick([0, 0xff]))
    default:
      return anyBytes(random)
  }
}

/** The encoding of the item with up to three changes: in what it says, or in how it is written. */
export function mutateEncoded(random: Random, item: RlpItem): Uint8Array {
  let changed = item
  for (let left = random.between(0, 3); left > 0; left--) changed = mutateRlp(random, changed)
  const bytes = encodeRlp(changed)
  return random.percent(20) ? mutateBytes(random, bytes) : bytes
}
