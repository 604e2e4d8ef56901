import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import { BlockError } from '../execution/fault.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { BftConfig, CliqueConfig, Successor } from '../forks/consensusConfig.ts'
import { isGuarded, type NodeKey } from '../keys/nodeIdentity.ts'
import type { Pool } from '../pool/pool.ts'
import type { NextTurn } from '../primitives/steps.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { KnownTx } from '../types/block.ts'
import { isAuthorityEngine } from './authorityEngine.ts'
import { createBftProducer } from './bft/bftProducer.ts'
import { createForeignSeals } from './bft/foreignSeals.ts'
import type { BftEncoding } from './bft/messageEncoding.ts'
import { createCliqueProducer } from './clique/cliqueProducer.ts'
import { ibft2Protocol } from './ibft2/ibft2Protocol.ts'
import { createBlockBuilder, type ProducerSettings } from './producing/blockBuilder.ts'
import { combineProducers } from './producing/combineProducers.ts'
import type { Heights } from './producing/machineDriver.ts'
import type { Producer } from './producing/producer.ts'
import { signsAfter } from './producing/restoredMark.ts'
import { createSignedRecord } from './producing/signedRecord.ts'
import { startWhenLevel } from './producing/startWhenLevel.ts'
import { watchKey } from './producing/watchKey.ts'
import { qbftProtocol } from './qbft/qbftProtocol.ts'
import type { ValidatorNetwork } from './validatorNetwork.ts'
import type { Votes } from './voting/votes.ts'

export interface ProducerParts {
  readonly chain: Chain
  readonly consensus: ConsensusEngine
  readonly store: Store
  readonly pool: Pool
  /** Finds a transaction that was received but is not in the pool yet. */
  readonly findReceived?: KnownTx
  readonly clock: Clock
  readonly log: Logger
  readonly network: ValidatorNetwork
  readonly key: NodeKey
  readonly votes: Votes
  readonly settings: () => ProducerSettings
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
  /** Lets others run between the steps of building and checking a block; if absent, each is done at once. */
  readonly nextTurn?: NextTurn
  /** What BFT messages with two encodings are written in; if absent, what each peer writes. */
  readonly encoding?: BftEncoding | undefined
  /** Called when a validator of a BFT network has entered a round after the first. */
  readonly onRoundChange: () => void
}

const protocols = { ibft2: ibft2Protocol, qbft: qbftProtocol }

/** Creates this node's block producer; undefined on networks for which Quoin makes no blocks. Non-validators stay idle. */
export function createProducer({ consensus }: ChainSpec, parts: ProducerParts): Producer | undefined {
  const { chain, consensus: engine, store, pool, clock, key, settings } = parts
  if (!isAuthorityEngine(engine) || consensus.kind === 'none' || consensus.kind === 'ethash') return undefined

  const { builder, hasBuilt } = watchKey({
    chain,
    builder: createBlockBuilder({ chain, pool, clock, settings }),
    address: key.address,
    signerOf: engine.signerOf,
    clock,
    log: parts.log,
  })

  const common = { ...parts, consensus: engine, builder, signsAfter: signsAfter(store) }

  const clique = (config: CliqueConfig, heights: Heights): Producer => {
    const record = createSignedRecord(store, key.address, 'clique')
    return createCliqueProducer({ ...common, config, record, heights })
  }

  const bft = (config: BftConfig, heights: Heights): Producer => {
    // Shared by IBFT 2.0 and QBFT: what was signed still binds after a migration.
    const record = createSignedRecord(store, key.address, 'bft')
    const protocol = protocols[config.kind]
    return createBftProducer({
      ...common,
      // The very objects: what is known of them, senders above all, is not found out again.
      knownTx: (hash) => pool.get(hash)?.tx ?? parts.findReceived?.(hash),
      config,
      protocol,
      findForeign: isGuarded(key)
        ? undefined
        : createForeignSeals({
            ...{ address: key.address, codec: protocol.codec, hasBuilt, chain },
            from: heights.from,
            consensus: engine,
          }),
      record,
      heights,
    })
  }

  const make = (heights: Heights) =>
    consensus.kind === 'clique' ? clique(consensus, heights) : bft(consensus, heights)

  const migrating = ({ startBlock, config }: Successor): Producer =>
    combineProducers(make({ from: 1n, to: startBlock }), bft(config, { from: startBlock, to: undefined }))

  /** What a key has signed before is known to whoever guards it; nobody relies on one that is alone. */
  const mustMeet = (): boolean => {
    if (isGuarded(key)) return false
    try {
      return chain.read((view) => engine.validatorsAfter(view.head, view)).length !== 1
    } catch (error) {
      if (error instanceof BlockError) return true
      throw error
    }
  }

  const producer = consensus.successor ? migrating(consensus.successor) : make({ from: 1n, to: undefined })
  return startWhenLevel(producer, { clock, network: parts.network, mustMeet })
}
