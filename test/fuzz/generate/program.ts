import type { Random } from '../random.ts'
import { callParts } from './callParts.ts'
import { flowParts } from './flowParts.ts'
import { partsToEnd } from './parts.ts'
import { plainParts } from './plainParts.ts'
import type { Surroundings } from './surroundings.ts'
import type { PartChoice } from './writer.ts'

/** Everything that a program is made of. */
export const allParts: readonly PartChoice[] = [...plainParts, ...flowParts, ...callParts]

/** Code that makes sense, for the most part: so many parts and an ending. */
export function program(random: Random, around: Surroundings, length: number): Uint8Array {
  return partsToEnd(random, around, allParts, length)
}
