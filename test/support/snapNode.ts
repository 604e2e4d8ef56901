import type { AuthorityEngine } from '../../src/consensus/authorityEngine.ts'
import { createHeaderTrust } from '../../src/consensus/headerTrust.ts'
import { createChainSpec } from '../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import type { SubProtocol } from '../../src/net/protocol.ts'
import { createSnapAnswers } from '../../src/net/snap/answers.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { createPublicState, type PublicState } from '../../src/state/publicState.ts'
import { readDraftShare } from '../../src/state/storedDraft.ts'
import type { Store } from '../../src/store/store.ts'
import { createEthService, type EthService } from '../../src/sync/createEthService.ts'
import { createAuthorityEngine } from './authorityChain.ts'
import { type ChainNode, openChainNode } from './ethNode.ts'
import { quickClock } from './netHarness.ts'
import { connectPair, type ProtocolPair } from './protocolPair.ts'

export interface SnapNodePlan {
  readonly genesis: object
  readonly path?: string
  /** Whether it joins by the state of a recent block. */
  readonly joins?: boolean
  readonly depth?: bigint
  readonly validators?: readonly Address[]
  readonly pastBlocks?: number
  /** States that it serves. */
  readonly served?: number
}

/** A node of a network of validators that speaks eth and snap. */
export interface SnapNode extends ChainNode {
  readonly store: Store
  readonly states: PublicState
  readonly consensus: AuthorityEngine
  readonly eth: EthService
  protocol(name: 'eth' | 'snap'): SubProtocol
}

export function startSnapNode(plan: SnapNodePlan): SnapNode {
  const { genesis, joins = false, depth = 8n, validators = [], pastBlocks = Number.POSITIVE_INFINITY } = plan
  const spec = createChainSpec(toGenesisFile(genesis))
  const consensus = createAuthorityEngine(spec)
  let states!: PublicState
  let store!: Store
  const node = openChainNode(plan.path, spec, (parts) => {
    store = parts.store
    states = createPublicState(store)
    return { ...parts, consensus, states }
  })
  const answers = createSnapAnswers({ store, states, now: () => 0 })
  const eth = createEthService({
    ...node,
    consensus,
    networkId: spec.chainId,
    trust: createHeaderTrust(consensus, validators),
    snap: joins
      ? {
          depth,
          pastBlocks,
          state: { open: () => states.draft(), share: () => store.read(readDraftShare), adopt: states.adopt },
        }
      : undefined,
    stateServer: { ask: async ({ code, payload }) => answers(code, payload) },
    clock: quickClock,
    random: Math.random,
  })
  return {
    ...node,
    consensus,
    store,
    states,
    eth,
    protocol: (name) => eth.protocols.findLast((protocol) => protocol.name === name)!,
    async close(keepFolder) {
      await eth.stop()
      await node.close(keepFolder)
    },
  }
}

/** Connects two nodes by eth and, unless said otherwise, by snap. */
export function connectNodes(
  a: SnapNode,
  b: SnapNode,
  names: readonly ('eth' | 'snap')[] = ['snap', 'eth'],
): ProtocolPair[] {
  return names.map((name) => connectPair(a.protocol(name), b.protocol(name)))
}
