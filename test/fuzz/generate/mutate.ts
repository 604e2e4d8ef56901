import { concatBytes } from '../../../src/primitives/bytes.ts'
import type { Random } from '../random.ts'

/** The code with a few bytes changed, dropped, doubled or moved. */
export function mutate(random: Random, code: Uint8Array): Uint8Array {
  let mutant = code
  for (let i = random.between(1, 4); i > 0; i--) mutant = mutateOnce(random, mutant)
  return mutant
}

function mutateOnce(random: Random, code: Uint8Array): Uint8Array {
  const at = random.below(code.length + 1)
  const end = Math.min(code.length, at + random.between(1, 8))
  const before = code.subarray(0, at)
  const part = code.subarray(at, end)
  const after = code.subarray(end)
  return random.pick([
    () => code.map((byte, i) => (i === at ? random.below(256) : byte)),
    () => concatBytes(before, after),
    () => concatBytes(before, part, part, after),
    () => concatBytes(before, random.bytes(random.between(1, 4)), part, after),
    () => concatBytes(after, before, part),
  ])()
}
