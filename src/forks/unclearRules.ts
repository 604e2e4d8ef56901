import { unclearTransitions } from './bftTransitions.ts'
import type { ChainSpec } from './chainSpec.ts'
import { member, objectMember } from './jsonObject.ts'
import { hasSystemContracts } from './systemContracts.ts'

/** Something in a genesis file that not all nodes read in the same way. */
export interface UnclearRule {
  readonly text: string
  readonly advice: string
}

/** Returns what in the genesis file versions of Besu read differently, and how to say what is meant. */
export function unclearRules({ genesis, consensus, rulesAt }: ChainSpec): readonly UnclearRule[] {
  const found: UnclearRule[] = []
  const transitions = unclearTransitions(genesis.config)
  if (transitions.length > 0)
    found.push({
      text: `${transitions.join(', ')} counts as a time, as in Besu, because a fork by time comes first; in Quoin until November 2026 it was a block`,
      advice: 'set config.quoin.transitionsByTime to false if the chain was made by Quoin, else to true',
    })
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return found
  const end = (1n << 63n) - 1n
  const last = rulesAt({ number: end, timestamp: end })
  const own = objectMember(genesis.config, 'quoin')
  const isSet = own !== undefined && member(own, 'systemCalls') !== undefined
  if (!last.systemContracts && hasSystemContracts(genesis, last) && !isSet)
    found.push({
      text: 'alloc has system contracts, but config does not name those of Prague: blocks call none, as with Besu since 26.1, while Besu up to 25.12 calls them',
      advice:
        'name depositContractAddress, withdrawalRequestContractAddress and consolidationRequestContractAddress, or set config.quoin.systemCalls to ' +
        'what holds for the chain, if it has passed that fork',
    })
  const bft = [
    ...(consensus.kind === 'clique' ? [] : [consensus]),
    ...(consensus.successor ? [consensus.successor.config] : []),
  ]
  if (bft.some((one) => [one, ...one.transitions].some((s) => (s.blockPeriodMilliseconds ?? 1000) < 1000)))
    found.push({
      text: 'a validator of Quoin proposes a block a second at most, and takes part in those that others propose sooner',
      advice: 'xblockperiodmilliseconds is meant for tests: use blockperiodseconds',
    })
  return found
}
