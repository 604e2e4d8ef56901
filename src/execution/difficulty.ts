import type { Rules } from '../forks/rules.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { emptyOmmersHash, type Header } from '../types/header.ts'

const minDifficulty = 131_072n
const bombPeriod = 100_000n

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function adjustment(parent: Header, timestamp: bigint, rules: Rules): bigint {
  const step = parent.difficulty / 2048n
  const elapsed = timestamp - parent.timestamp
  if (rules.difficulty === 'frontier') return elapsed < 13n ? step : -step
  if (rules.difficulty === 'homestead') return step * max(1n - elapsed / 10n, -99n)
  const withOmmers = equalBytes(parent.ommersHash, emptyOmmersHash) ? 1n : 2n
  return step * max(withOmmers - elapsed / 9n, -99n)
}

/** Exponential part, counted from a block number that forks have moved back. */
function bomb(number: bigint, rules: Rules): bigint {
  const fake = max(number - rules.bombDelay, 0n)
  const period = fake / bombPeriod
  return period > 1n ? 1n << (period - 2n) : 0n
}

/** Difficulty of the proof of work that the block after `parent` must show. */
export function nextDifficulty(parent: Header, timestamp: bigint, rules: Rules): bigint {
  const moved = parent.difficulty + adjustment(parent, timestamp, rules)
  // Only a genesis block can be below the minimum; then the bomb counts towards it.
  const adjusted = parent.difficulty < minDifficulty ? moved : max(moved, minDifficulty)
  return max(adjusted + bomb(parent.number + 1n, rules), minDifficulty)
}
