import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import { type AuthorityEngine, isAuthorityEngine } from '../consensus/authorityEngine.ts'
import { unsealedExtraData } from '../consensus/clique/extraData.ts'
import { sealCliqueHeader } from '../consensus/clique/sealHeader.ts'
import { cliqueDifficulty, outOfTurn } from '../consensus/clique/turns.ts'
import { mine } from '../consensus/ethash/mine.ts'
import { vanityOf } from '../consensus/vanity.ts'
import { isEpochBlock } from '../consensus/voting/tallyHistory.ts'
import { nextDifficulty } from '../execution/difficulty.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { CliqueConfig, EthashConfig } from '../forks/consensusConfig.ts'
import { createLocalKey } from '../keys/nodeIdentity.ts'
import { type Address, emptyBytes } from '../primitives/bytes.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import type { Header } from '../types/header.ts'

/** Header fields that consensus decides before the transactions run. */
export interface SealPlan {
  readonly difficulty: bigint
  readonly extraData: Uint8Array
}

/** Makes blocks of a network that need no other validator. */
export interface BlockSealer {
  /** The account that collects the fees; undefined if it is the header's beneficiary. */
  readonly producer: Address | undefined
  /** Whether a block may choose its beneficiary and extra data. */
  readonly freeFields: boolean
  /** Whether it can make blocks after the merge, for which other networks need a beacon chain. */
  readonly afterMerge: boolean
  /** Minimum of seconds between two blocks. */
  readonly period: bigint
  plan(parent: HashedHeader, timestamp: bigint, view: ChainView): SealPlan
  seal(header: Header): Header
}

/** The sealer of a network; undefined if one node alone cannot make its blocks. */
export function createBlockSealer(
  spec: ChainSpec,
  engine: ConsensusEngine,
  nodeKey: Uint8Array,
  work: boolean,
): BlockSealer | undefined {
  const { consensus } = spec
  if (consensus.kind === 'ethash') return createEthashSealer(spec, consensus, work)
  if (consensus.kind === 'none' && !work) return mergedSealer
  if (consensus.kind === 'clique' && isAuthorityEngine(engine)) return createCliqueSealer(consensus, engine, nodeKey)
  return undefined
}

/** The sealer of the development network after the merge. */
const mergedSealer: BlockSealer = {
  producer: undefined,
  freeFields: true,
  afterMerge: true,
  period: 1n,
  plan: () => ({ difficulty: 0n, extraData: emptyBytes }),
  seal: (header) => header,
}

function createEthashSealer(spec: ChainSpec, { fixedDifficulty }: EthashConfig, work: boolean): BlockSealer {
  // As in Besu the search continues after the nonce of the previous block, and skips one, which Besu's miner has drawn in vain.
  let nextNonce = 0n
  return {
    producer: undefined,
    freeFields: true,
    afterMerge: false,
    period: 1n,
    plan({ header: parent }, timestamp) {
      const rules = spec.rulesAt({ number: parent.number + 1n, timestamp, difficulty: parent.difficulty })
      return { difficulty: fixedDifficulty ?? nextDifficulty(parent, timestamp, rules), extraData: emptyBytes }
    },
    seal(header) {
      if (!work) return header
      const sealed = mine(header, nextNonce)
      nextNonce = bytesToBigInt(sealed.nonce) + 2n
      return sealed
    },
  }
}

function createCliqueSealer(config: CliqueConfig, consensus: AuthorityEngine, nodeKey: Uint8Array): BlockSealer {
  const { address: producer, sign } = createLocalKey(nodeKey)
  return {
    producer,
    freeFields: false,
    afterMerge: false,
    period: BigInt(config.blockPeriodSeconds),
    plan(parent, _, view) {
      const number = parent.header.number + 1n
      const validators = consensus.validatorsAfter(parent, view)
      const signers = isEpochBlock(number, config.epochLength) ? validators : []
      return {
        difficulty: cliqueDifficulty(number, producer, validators) ?? outOfTurn,
        extraData: unsealedExtraData(vanityOf(emptyBytes), signers),
      }
    },
    seal: (header) => sealCliqueHeader(header, sign),
  }
}
