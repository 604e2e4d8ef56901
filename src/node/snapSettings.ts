import { NetworkError } from '../chainData/fault.ts'
import { isAuthorityEngine } from '../consensus/authorityEngine.ts'
import { createHeaderTrust, type HeaderTrust } from '../consensus/headerTrust.ts'
import { readDraftShare } from '../state/storedDraft.ts'
import type { SnapSettings } from '../sync/snap/snapSync.ts'
import type { NodeParts } from './openParts.ts'

/** How far below the heads of peers the block is whose state is taken over, where blocks are final: all peers have it. */
const finalDepth = 8n

/** How headers are believed; undefined on a network without validators. */
export function headerTrustOf({ consensus, config }: NodeParts): HeaderTrust | undefined {
  return isAuthorityEngine(consensus) ? createHeaderTrust(consensus, config['snap-validators']) : undefined
}

/** How a chain is joined by the state of a recent block; undefined if all blocks are to be run. */
export function snapSettingsOf(parts: NodeParts): SnapSettings | undefined {
  const { config, chain, consensus, store, states, network } = parts
  if (config['sync-mode'] !== 'SNAP') return undefined
  if (!isAuthorityEngine(consensus))
    throw new NetworkError({ code: 'CANNOT_SNAP', engine: network.spec.consensus.kind })
  const isFinal = consensus.isFinal?.(chain.head().header) ?? false
  return {
    depth: isFinal ? finalDepth : BigInt(config['snap-depth']),
    pastBlocks: Math.min(config['snap-history'], config['block-history'] || Number.POSITIVE_INFINITY),
    state: {
      open() {
        // A state that was being rebuilt, or that an earlier node has left.
        if (store.read(readDraftShare) === undefined) while (!store.write(states.clearSpare));
        return states.draft()
      },
      share: () => store.read(readDraftShare),
      adopt: states.adopt,
    },
  }
}
