import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import type { Header } from '../types/header.ts'

/** The rules of the block after this one, if it is made one second later. */
export function nextRules({ rulesAt }: ChainSpec, { number, timestamp, difficulty }: Header): Rules {
  return rulesAt({ number: number + 1n, timestamp: timestamp + 1n, difficulty })
}
