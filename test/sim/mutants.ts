import { type CliqueMachineParts, createCliqueMachine } from '../../src/consensus/clique/cliqueMachine.ts'
import { inTurn } from '../../src/consensus/clique/turns.ts'
import { bftTrades, gossipTrades, ruleTrades } from './bftMutants.ts'
import type { BftTrade } from './bftNode.ts'
import type { CliqueTrade, MakeCliqueMachine } from './cliqueSim.ts'
import type { FaultName } from './faults.ts'
import type { MigrationTrade } from './migrationNode.ts'
import { turnTrades } from './turnMutants.ts'

/** A deliberate bug in honest validators, to see whether the simulator sees it. */
export interface Mutant {
  readonly name: string
  readonly bft?: BftTrade
  readonly clique?: CliqueTrade
  readonly migration?: MigrationTrade
  /** Of how many validators networks are in which it shows; any number unless said otherwise. */
  readonly validators?: number
  /** What has to go wrong for it to show. */
  readonly faults?: readonly FaultName[]
  /** How validators are connected for it to show. */
  readonly topology?: 'random'
  /** Whether IBFT 2.0 does not suffer from it. */
  readonly isQbftOnly?: boolean
}

const withCliqueParts =
  (change: (parts: CliqueMachineParts) => Partial<CliqueMachineParts>): MakeCliqueMachine =>
  (parts) =>
    createCliqueMachine({ ...parts, ...change(parts) })

const cliqueTrades: Readonly<Record<string, CliqueTrade>> = {
  noRecentLimit: { createMachine: withCliqueParts(() => ({ mustWait: () => false })) },
  noSignedBlock: { createMachine: withCliqueParts(() => ({ restored: undefined })) },
  alwaysInTurn: {
    createMachine: withCliqueParts(({ build }) => ({ build: (plan) => build({ ...plan, difficulty: inTurn }) })),
  },
  neverInTurn: {
    createMachine: withCliqueParts(({ build }) => ({ build: (plan) => build({ ...plan, difficulty: 1n }) })),
  },
  noWiggle: { createMachine: withCliqueParts(() => ({ random: () => 0 })) },
  longestWins: { isBetter: (candidate, head) => candidate.header.number > head.header.number },
  firstSeenWins: {
    isBetter: ({ totalDifficulty }, head) => totalDifficulty > head.totalDifficulty,
  },
  cliqueMajorityOfHalf: { miscount: { halfDecides: true } },
  cliqueVotesSurviveEpoch: { miscount: { keepsVotes: true } },
}

/** Bugs of nodes whose network changes its engine. */
const migrationTrades: Readonly<Record<string, MigrationTrade>> = {
  oldEngineGoesOn: { oldGoesOn: 2 },
  oldSealsAccepted: { oldIsValid: 3 },
  newEngineLate: { startsLate: 1 },
  deafAfterMigration: { isDeaf: true },
}

/**
 * Who vote on others in Clique are more than four, and half of them is a number only where they are even. Others make up
 * for one who does not wake up.
 */
const sizes: Readonly<Record<string, number>> = {
  cliqueMajorityOfHalf: 6,
  cliqueVotesSurviveEpoch: 6,
  failureStopsTimers: 1,
}

const sizeOf = (name: string) => (sizes[name] ? { validators: sizes[name] } : {})

export const mutants: readonly Mutant[] = [
  ...Object.entries({ ...bftTrades, ...turnTrades }).map(([name, bft]) => ({
    name,
    bft,
    // Digests of IBFT 2.0 tell the round, too, and contracts are QBFT's.
    isQbftOnly: name === 'certificateRoundIgnored' || name === 'unknownValidatorsForgotten',
    // It takes a liar, and rounds that fail.
    ...(name in ruleTrades &&
      name !== 'seenUnderAnotherCode' && { faults: ['byzantine', 'loss', 'delay', 'crash'] as const }),
    ...(name === 'unknownValidatorsForgotten' && { faults: ['contract', 'disk'] as const }),
    ...(name in gossipTrades && {
      validators: 7,
      faults: ['large', 'away', 'loss'] as const,
      topology: 'random' as const,
    }),
    ...sizeOf(name),
  })),
  ...Object.entries(migrationTrades).map(([name, migration]) => ({ name, migration })),
  ...Object.entries(cliqueTrades).map(([name, clique]) => ({ name, clique, ...sizeOf(name) })),
]
