import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import { type AuthorityEngine, isAuthorityEngine } from '../consensus/authorityEngine.ts'
import { unsealedExtraData } from '../consensus/clique/extraData.ts'
import { sealCliqueHeader } from '../consensus/clique/sealHeader.ts'
import { cliqueDifficulty, outOfTurn } from '../consensus/clique/turns.ts'
import { mine } from '../consensus/ethash/mine.ts'
import { createValidatorKey } from '../consensus/validatorKey.ts'
import { vanityOf } from '../consensus/vanity.ts'
import { isEpochBlock } from '../consensus/voting/tallyHistory.ts'
import { nextDifficulty } from '../execution/difficulty.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { CliqueConfig, EthashConfig } from '../forks/consensusConfig.ts'
import { type Address, emptyBytes } from '../primitives/bytes.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import type { Header } from '../types/header.ts'

/** What the engine settles of a block before its transactions run. */
export interface SealPlan {
  readonly difficulty: bigint
  readonly extraData: Uint8Array
}

/** How blocks of a network are made by one who is alone. */
export interface BlockSealer {
  /** Who collects the fees, where it is not the header's beneficiary. */
  readonly producer: Address | undefined
  /** Whether a block may name its beneficiary and extra data. */
  readonly freeFields: boolean
  /** Seconds that lie between two blocks at least. */
  readonly period: bigint
  plan(parent: HashedHeader, timestamp: bigint, view: ChainView): SealPlan
  seal(header: Header): Header
}

/** The sealer of a network, or undefined where nobody can make blocks alone. */
export function createBlockSealer(
  spec: ChainSpec,
  engine: ConsensusEngine,
  nodeKey: Uint8Array,
  work: boolean,
): BlockSealer | undefined {
  const { consensus } = spec
  if (consensus.kind === 'ethash') return createEthashSealer(spec, consensus, work)
  if (consensus.kind === 'clique' && isAuthorityEngine(engine)) return createCliqueSealer(consensus, engine, nodeKey)
  return undefined
}

function createEthashSealer(spec: ChainSpec, { fixedDifficulty }: EthashConfig, work: boolean): BlockSealer {
  // As in Besu the search goes on behind the nonce of the block before, and behind one more that its miner drew too many.
  let nextNonce = 0n
  return {
    producer: undefined,
    freeFields: true,
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
  const { address: producer, sign } = createValidatorKey(nodeKey)
  return {
    producer,
    freeFields: false,
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
