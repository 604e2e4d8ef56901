import { bytesToBigInt } from '../../../src/primitives/u256.ts'
import { wrap } from '../../oracle/words.ts'
import type { Random } from '../random.ts'

/** A word of the kind that breaks arithmetic: near a power of two, near the ends, small, or of any bytes. */
export function interestingWord(random: Random): bigint {
  return random.weighted([
    [30, () => BigInt(random.below(5))],
    [15, () => BigInt(random.below(300))],
    [20, () => wrap((1n << BigInt(random.below(257))) + BigInt(random.between(-1, 1)))],
    [5, () => wrap(-BigInt(random.between(1, 40)))],
    [5, () => 1n << 255n],
    [15, () => bytesToBigInt(random.bytes(random.between(1, 32)))],
    [5, () => wrap(-(1n << BigInt(random.below(256))))],
    [5, () => 32n * BigInt(random.below(10))],
  ])()
}

/** A place in memory: near the start, as a rule; sometimes far too far. */
export function memoryOffset(random: Random): bigint {
  return random.weighted([
    [700, () => BigInt(random.below(96))],
    [240, () => 32n * BigInt(random.below(8))],
    [55, () => BigInt(random.below(4000))],
    [2, () => BigInt(random.below(1 << 20))],
    [1, () => (1n << BigInt(random.between(24, 64))) + BigInt(random.between(-32, 1))],
    [1, () => interestingWord(random)],
  ])()
}

export function memorySize(random: Random): bigint {
  return random.weighted([
    [250, () => 0n],
    [400, () => BigInt(random.between(1, 64))],
    [310, () => 32n * BigInt(random.between(1, 4))],
    [35, () => BigInt(random.below(1500))],
    [1, () => (1n << BigInt(random.between(20, 64))) + BigInt(random.between(-1, 1))],
    [1, () => interestingWord(random)],
  ])()
}

/** Few slots, so that they are met again. */
export function slot(random: Random): bigint {
  return random.percent(92) ? BigInt(random.below(4)) : interestingWord(random)
}

/** Few values, so that net gas metering goes through all its cases. */
export function stored(random: Random): bigint {
  return random.percent(85) ? BigInt(random.below(3)) : interestingWord(random)
}
