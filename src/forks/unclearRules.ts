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
export function unclearRules({ genesis, consensus, fixedBaseFee, rulesAt }: ChainSpec): readonly UnclearRule[] {
  const found: UnclearRule[] = []
  const transitions = unclearTransitions(genesis.config)
  if (transitions.length > 0)
    found.push({
      text: `${transitions.join(', ')} counts as a time, as in Besu, because a fork by time comes first; in Quoin until November 2026 it was a block`,
      advice: 'set config.quoin.transitionsByTime to false if the chain was made by Quoin, else to true',
    })
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return found
  if (genesis.isGethToBesu)
    found.push({
      text: 'Besu since 26.1 takes a file with "mergeNetsplitBlock" for one of geth, and makes no blocks: it reads ethash, not clique, ibft2 or qbft',
      advice: 'write "mergeNetSplitBlock", which is the same key to all nodes and leaves the genesis block as it is',
    })
  const own = objectMember(genesis.config, 'quoin')
  const says = (key: string) => own !== undefined && member(own, key) !== undefined
  if (
    consensus.kind !== 'clique' &&
    consensus.successor &&
    consensus.successor.epochsFrom > 0n &&
    !says('epochsFromStartBlock')
  )
    found.push({
      text: `epochs of QBFT count from block ${consensus.successor.epochsFrom}, as in Besu since 25.3; in Besu up to 25.2, and in Quoin until November 2026, from block 0`,
      advice:
        'set config.quoin.epochsFromStartBlock to false if votes were counted so in blocks that are there, else to true',
    })
  const end = (1n << 63n) - 1n
  const last = rulesAt({ number: end, timestamp: end })
  if (!last.systemContracts && hasSystemContracts(genesis, last) && !says('systemCalls'))
    found.push({
      text: 'alloc has system contracts, but config does not name those of Prague: blocks call none, as with Besu since 26.1, while Besu up to 25.12 calls them',
      advice:
        'name depositContractAddress, withdrawalRequestContractAddress and consolidationRequestContractAddress, or set config.quoin.systemCalls to ' +
        'what holds for the chain, if it has passed that fork',
    })
  if (fixedBaseFee && last.requests)
    found.push({
      text: 'with fixedBaseFee, nodes of Besu (26.8) take no block from prague on: headers of their own validators lack what it needs',
      advice: 'use zeroBaseFee or neither of both where there are nodes of Besu',
    })
  return found
}
