import { createBftMachine } from '../../src/consensus/bft/bftMachine.ts'
import type { BftEffect, BftMachine, BftMachineParts } from '../../src/consensus/bft/machine.ts'
import { createMessageRules, type MessageRules } from '../../src/consensus/bft/messageRules.ts'
import { type CliqueMachineParts, createCliqueMachine } from '../../src/consensus/clique/cliqueMachine.ts'
import { inTurn } from '../../src/consensus/clique/turns.ts'
import { equalBytes, toAddress } from '../../src/primitives/bytes.ts'
import type { CliqueTrade, MakeCliqueMachine } from './cliqueSim.ts'

/** A deliberate bug in honest validators, to see whether the simulator sees it. */
export interface Mutant {
  readonly name: string
  readonly bft?: (parts: BftMachineParts) => BftMachine
  readonly clique?: CliqueTrade
}

type Change<T> = (value: T) => Partial<T>

/** Another opinion on which messages are right. */
const withRules = (change: Change<MessageRules>) => (parts: BftMachineParts) =>
  createBftMachine({
    ...parts,
    createRules(options) {
      const rules = createMessageRules(options)
      return { ...rules, ...change(rules) }
    },
  })

const withParts = (change: Change<BftMachineParts>) => (parts: BftMachineParts) =>
  createBftMachine({ ...parts, ...change(parts) })

const withEffects =
  (change: (effects: readonly BftEffect[]) => readonly BftEffect[]) =>
  (parts: BftMachineParts): BftMachine => {
    const machine = createBftMachine(parts)
    return { ...machine, handle: (event, now) => change(machine.handle(event, now)) }
  }

const isPersist = ({ type }: BftEffect) => type === 'persist'

const withCliqueParts =
  (change: Change<CliqueMachineParts>): MakeCliqueMachine =>
  (parts) =>
    createCliqueMachine({ ...parts, ...change(parts) })

const bftMutants: readonly Mutant[] = [
  {
    name: 'smallQuorum',
    bft: withRules(({ tolerated }) => ({ quorum: tolerated + 1, preparesNeeded: tolerated + 1 })),
  },
  { name: 'fewPrepares', bft: withRules(({ preparesNeeded }) => ({ preparesNeeded: preparesNeeded - 1 })) },
  { name: 'fewCommits', bft: withRules(({ quorum }) => ({ quorum: quorum - 1 })) },
  {
    name: 'forgottenLock',
    bft: withParts(({ protocol }) => ({
      protocol: {
        ...protocol,
        encodeRoundChangePayload: (view) => protocol.encodeRoundChangePayload(view, undefined),
        encodeRoundChange: (signed) => protocol.encodeRoundChange(signed, undefined),
      },
    })),
  },
  {
    name: 'oneProposer',
    bft: withRules(({ proposerOf, isProposer }) => ({
      proposerOf: () => proposerOf(0),
      isProposer: (address) => isProposer(address, 0),
    })),
  },
  {
    name: 'unjustifiedProposal',
    bft: withRules(({ isProposer, isProposal }) => ({
      isProposal: (message) =>
        message.signed.payload.round === 0
          ? isProposal(message)
          : isProposer(message.signed.author, message.signed.payload.round) &&
            equalBytes(message.signed.payload.digest, message.block.digest),
    })),
  },
  {
    name: 'sendBeforePersist',
    bft: withEffects((effects) => [...effects.filter((one) => !isPersist(one)), ...effects.filter(isPersist)]),
  },
  { name: 'noRecord', bft: withParts(() => ({ restored: undefined })) },
  {
    name: 'uncheckedSignature',
    bft: withParts(({ crypto }) => ({
      crypto: {
        sign: crypto.sign,
        recover: (_, signature) => toAddress(signature.slice(0, 20)),
      },
    })),
  },
  {
    name: 'uncheckedBlock',
    bft: withParts(({ blocks }) => ({ blocks: { ...blocks, check: () => true } })),
  },
]

const cliqueMutants: readonly Mutant[] = [
  { name: 'noRecentLimit', clique: { createMachine: withCliqueParts(() => ({ mustWait: () => false })) } },
  { name: 'noSignedBlock', clique: { createMachine: withCliqueParts(() => ({ restored: undefined })) } },
  {
    name: 'alwaysInTurn',
    clique: {
      createMachine: withCliqueParts(({ build }) => ({ build: (plan) => build({ ...plan, difficulty: inTurn }) })),
    },
  },
  { name: 'longestWins', clique: { isBetter: (candidate, head) => candidate.header.number > head.header.number } },
]

export const mutants: readonly Mutant[] = [...bftMutants, ...cliqueMutants]
