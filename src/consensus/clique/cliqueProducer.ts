import { cliqueSettingsAt, nextMoment } from '../../forks/bftTransitions.ts'
import type { CliqueConfig } from '../../forks/consensusConfig.ts'
import { isGuarded } from '../../keys/nodeIdentity.ts'
import { runSteps } from '../../primitives/steps.ts'
import type { Block } from '../../types/block.ts'
import type { Header } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import type { BlockBuilder, ProducerSettings } from '../producing/blockBuilder.ts'
import { createMachineDriver, type DriverParts } from '../producing/machineDriver.ts'
import type { Producer } from '../producing/producer.ts'
import { vanityOf } from '../vanity.ts'
import { isEpochBlock } from '../voting/tallyHistory.ts'
import type { Votes } from '../voting/votes.ts'
import { type CliqueBlockPlan, type CliqueTimer, createCliqueMachine } from './cliqueMachine.ts'
import { cliqueVoteFields } from './cliqueVote.ts'
import { unsealedExtraData } from './extraData.ts'
import { findForeignBlock } from './findForeignBlock.ts'
import { sealCliqueHeader } from './sealHeader.ts'
import { findRecentBlock } from './turns.ts'

export interface CliqueProducerParts extends DriverParts {
  readonly config: CliqueConfig
  readonly consensus: AuthorityEngine
  readonly builder: BlockBuilder
  readonly votes: Votes
  readonly settings: () => ProducerSettings
  readonly random: () => number
}

/** Makes Clique blocks while this node is a signer. */
export function createCliqueProducer(parts: CliqueProducerParts): Producer {
  const { config, consensus, builder, key, votes, settings, random, chain } = parts
  const { address } = key
  const { epochLength } = config

  function build({ parent, timestamp, difficulty, signers }: CliqueBlockPlan): Block | undefined {
    const number = parent.header.number + 1n
    const { blockPeriodSeconds, createEmptyBlocks } = cliqueSettingsAt(config, { number, timestamp })
    const isEpoch = isEpochBlock(number, epochLength)
    const tally = isEpoch ? undefined : chain.read((view) => consensus.tallyAfter(parent, view))
    const steps = builder.propose({
      parent,
      timestamp,
      difficulty,
      ...cliqueVoteFields(tally && votes.choose(tally, address)),
      extraData: unsealedExtraData(vanityOf(settings().extraData), isEpoch ? signers : []),
      maker: {
        beneficiary: address,
        ...(key.kind === 'local' && { seal: (header: Header) => sealCliqueHeader(header, key.sign) }),
      },
      period: blockPeriodSeconds,
      // Without a period, empty blocks would follow each other endlessly.
      allowEmpty: createEmptyBlocks && blockPeriodSeconds > 0,
    })
    return runSteps(steps)?.block
  }

  const driver = createMachineDriver<CliqueTimer, never>({
    ...parts,
    createMachine: (restored) =>
      createCliqueMachine({
        address,
        periodAfter: ({ header }) => cliqueSettingsAt(config, nextMoment(header)).blockPeriodSeconds,
        build,
        sealsLater: key.kind === 'remote',
        signersAfter: (head) => chain.read((view) => consensus.validatorsAfter(head, view)),
        mustWait: (head, signers) =>
          chain.read((view) =>
            findRecentBlock(head, address, signers, view, ({ header }) => consensus.signerOf(header)),
          ) !== undefined,
        findForeign: isGuarded(key)
          ? undefined
          : (head, after, knows) =>
              chain.read((view) => {
                const signers = consensus.validatorsAfter(head, view).length
                return findForeignBlock(head, { after, signer: address, signers }, view, consensus.signerOf, knows)
              }),
        random,
        restored,
      }),
    perform: () => {},
  })
  return { protocols: [], isRunning: driver.isRunning, start: driver.start, stop: driver.stop }
}
