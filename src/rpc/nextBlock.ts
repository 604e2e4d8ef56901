import type { ChainView } from '../chain/view.ts'
import type { Rules } from '../forks/rules.ts'

/** Rules of the block that follows the head, should it come at once. */
export function nextRules({ spec, head }: ChainView): Rules {
  const { number, timestamp, difficulty } = head.header
  return spec.rulesAt({ number: number + 1n, timestamp: timestamp + 1n, difficulty })
}
