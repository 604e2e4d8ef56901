import { createBftMachine } from '../../src/consensus/bft/bftMachine.ts'
import { createBftReader } from '../../src/consensus/bft/bftReader.ts'
import { type BftRecord, decodeBftRecord, encodeBftRecord } from '../../src/consensus/bft/bftRecord.ts'
import type { BftEffect, BftEvent, BftMachineParts } from '../../src/consensus/bft/machine.ts'
import { createMessageGossip } from '../../src/consensus/bft/messageGossip.ts'
import {
  createMessageRules,
  type MessageRules,
  type MessageRulesOptions,
} from '../../src/consensus/bft/messageRules.ts'
import type { Certificate, Signed } from '../../src/consensus/bft/messages.ts'
import { createPacemaker, type Pacemaker, type PacemakerOptions } from '../../src/consensus/bft/pacemaker.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { type Address, equalBytes, keyOf, toAddress } from '../../src/primitives/bytes.ts'
import type { BftTrade } from './bftNode.ts'

/** Another opinion on which messages are right. */
export const withRules = (
  change: (rules: MessageRules, options: MessageRulesOptions) => Partial<MessageRules>,
): BftTrade => ({
  createMachine: (parts) =>
    createBftMachine({
      ...parts,
      createRules(options) {
        const rules = createMessageRules(options)
        return { ...rules, ...change(rules, options) }
      },
    }),
})

/** Other parts of the machine. */
export const withParts = (change: (parts: BftMachineParts) => Partial<BftMachineParts>): BftTrade => ({
  // What others have read with the right parts does not count.
  createMachine: (parts) => createBftMachine({ ...parts, reading: undefined, ...change(parts) }),
})

/** Effects that are changed on their way out. */
export const withEffects = (
  change: (effects: readonly BftEffect[], event: BftEvent, now: number) => readonly BftEffect[],
): BftTrade => ({
  createMachine(parts) {
    const machine = createBftMachine(parts)
    return { ...machine, handle: (event, now) => change(machine.handle(event, now), event, now) }
  },
})

/** Events of which some never arrive. */
export const withEvents = (create: () => (event: BftEvent) => boolean): BftTrade => ({
  createMachine(parts) {
    const machine = createBftMachine(parts)
    const arrives = create()
    return { ...machine, handle: (event, now) => (arrives(event) ? machine.handle(event, now) : []) }
  },
})

/** Rounds that follow each other otherwise. */
export const withPace = (change: (pace: Pacemaker, options: PacemakerOptions) => Partial<Pacemaker>): BftTrade =>
  withParts(() => ({
    createPacemaker(options) {
      const pace = createPacemaker(options)
      return { ...pace, ...change(pace, options) }
    },
  }))

/** Certificates that are believed more than they prove: they are changed before they are looked at. */
function withCertificates(change: (certificate: Certificate, validators: readonly Address[]) => Certificate): BftTrade {
  return withRules(({ isProposal, isRoundChange }, { validators }) => ({
    isProposal: (message) =>
      isProposal({ ...message, certificates: message.certificates.map((one) => change(one, validators)) }),
    isRoundChange: (message) =>
      isRoundChange({
        ...message,
        certificate: message.certificate && change(message.certificate, validators),
      }),
  }))
}

/** Names of others for those who are named again. */
function spread<P>(list: readonly Signed<P>[], validators: readonly Address[]): readonly Signed<P>[] {
  const rest = validators.filter((one) => !list.some(({ author }) => equalBytes(author, one)))
  const seen = new Set<string>()
  return list.map((signed) => {
    const isAgain = seen.has(keyOf(signed.author))
    seen.add(keyOf(signed.author))
    return isAgain ? { ...signed, author: rest.shift() ?? signed.author } : signed
  })
}

const isPersist = ({ type }: BftEffect) => type === 'persist'
const isRoundTimer = (effect: BftEffect) => effect.type === 'timer' && effect.timer.kind === 'round'

/** What a record says once something of it is lost. */
function withRecord(lose: (record: BftRecord, protocol: BftProtocol) => Partial<BftRecord>): BftTrade {
  return withParts(({ protocol, crypto, restored }) => {
    const record = restored && decodeBftRecord(protocol, restored, createBftReader(protocol, crypto)).record
    return { restored: record ? encodeBftRecord(protocol, { ...record, ...lose(record, protocol) }) : restored }
  })
}

/** Of a seal only the name on it counts; cheap signatures begin with it. */
const uncheckedSeals = withParts(({ protocol, crypto }) => {
  const messages = new Set<string>()
  return {
    protocol: {
      ...protocol,
      signingDigest(code, payload) {
        const digest = protocol.signingDigest(code, payload)
        messages.add(keyOf(digest))
        return digest
      },
    },
    crypto: {
      ...crypto,
      recover: (digest, signature) =>
        messages.has(keyOf(digest)) ? crypto.recover(digest, signature) : toAddress(signature.slice(0, 20)),
    },
  }
})

/** Mistakes in what is taken from others. */
export const ruleTrades: Readonly<Record<string, BftTrade>> = {
  smallQuorum: withRules(({ tolerated }) => ({ quorum: tolerated + 1, preparesNeeded: tolerated + 1 })),
  quorumOfTwoThirdsFaulty: withRules(({ quorum, preparesNeeded }) => ({
    quorum: quorum - 1,
    preparesNeeded: preparesNeeded - 1,
  })),
  fewPrepares: withRules(({ preparesNeeded }) => ({ preparesNeeded: preparesNeeded - 1 })),
  fewCommits: withRules(({ quorum }) => ({ quorum: quorum - 1 })),
  commitsUnprepared: withRules(() => ({ preparesNeeded: 0 })),
  oneProposer: withRules(({ proposerOf, isProposer }) => ({
    proposerOf: () => proposerOf(0),
    isProposer: (address) => isProposer(address, 0),
  })),
  proposerOfNextRound: withRules(({ proposerOf, isProposer }) => ({
    proposerOf: (round) => proposerOf(round + 1),
    isProposer: (address, round) => isProposer(address, round + 1),
  })),
  anyProposer: withRules((_, options) => {
    const others = options.validators.map((lastProposer) => createMessageRules({ ...options, lastProposer }))
    return { isProposal: (message) => others.some(({ isProposal }) => isProposal(message)) }
  }),
  unjustifiedProposal: withRules(({ isProposer, isProposal }) => ({
    isProposal: (message) =>
      message.signed.payload.round === 0
        ? isProposal(message)
        : isProposer(message.signed.author, message.signed.payload.round) &&
          equalBytes(message.signed.payload.digest, message.block.digest),
  })),
  anyRoundChange: withRules(() => ({ isRoundChange: () => true })),
  certificateDigestIgnored: withCertificates((certificate) => ({
    ...certificate,
    prepares: certificate.prepares.map((one) => ({
      ...one,
      payload: { ...one.payload, digest: certificate.digest },
    })),
  })),
  certificateRoundIgnored: withCertificates((certificate) => ({
    ...certificate,
    prepares: certificate.prepares.map((one) => ({ ...one, payload: { ...one.payload, round: certificate.round } })),
  })),
  sameSignerTwice: withCertificates((certificate, validators) => ({
    ...certificate,
    prepares: spread(certificate.prepares, validators),
  })),
  sameChangerTwice: withRules(({ isProposal }, { validators }) => ({
    isProposal: (message) => isProposal({ ...message, roundChanges: spread(message.roundChanges, validators) }),
  })),
  changesOfAnotherHeight: withRules(({ isProposal }, { height }) => ({
    isProposal: (message) =>
      isProposal({
        ...message,
        roundChanges: message.roundChanges.map((one) => ({ ...one, payload: { ...one.payload, height } })),
      }),
  })),
  changesOfAnotherRound: withRules(({ isProposal }) => ({
    isProposal: (message) =>
      isProposal({
        ...message,
        roundChanges: message.roundChanges.map((one) => ({
          ...one,
          payload: { ...one.payload, round: message.signed.payload.round },
        })),
      }),
  })),
  firstClaim: withRules(({ isProposal }) => ({
    isProposal(message) {
      const first = message.roundChanges.findIndex(({ payload }) => payload.claim)
      const roundChanges = message.roundChanges.map((one, i) =>
        i === first ? one : { ...one, payload: { ...one.payload, claim: undefined } },
      )
      return isProposal({ ...message, roundChanges, certificates: [] })
    },
  })),
  claimsIgnored: withRules(({ isProposal }) => ({
    isProposal: (message) =>
      isProposal({
        ...message,
        roundChanges: message.roundChanges.map((one) => ({ ...one, payload: { ...one.payload, claim: undefined } })),
        certificates: [],
      }),
  })),
  uncheckedSignature: withParts(({ crypto }) => ({
    crypto: { ...crypto, recover: (_, signature) => toAddress(signature.slice(0, 20)) },
  })),
  uncheckedSeals,
  uncheckedBlock: withParts(({ blocks }) => ({ blocks: { ...blocks, flawOf: () => undefined } })),
  seenUnderAnotherCode: withEvents(() => {
    const seen = new Map<string, number>()
    return (event) => {
      if (event.type !== 'message') return true
      const known = seen.get(keyOf(event.data))
      if (known === undefined) seen.set(keyOf(event.data), event.code)
      return known === undefined || known === event.code
    }
  }),
}

/** Mistakes in what is remembered. */
const memory: Record<string, BftTrade> = {
  forgottenLock: withParts(({ protocol }) => ({
    protocol: {
      ...protocol,
      encodeRoundChangePayload: (view) => protocol.encodeRoundChangePayload(view, undefined),
      encodeRoundChange: (signed) => protocol.encodeRoundChange(signed, undefined),
    },
  })),
  sendBeforePersist: withEffects((effects) => [
    ...effects.filter((one) => !isPersist(one)),
    ...effects.filter(isPersist),
  ]),
  noRecord: withParts(() => ({ restored: undefined })),
  lostVote: withRecord(({ messages, round, prepared }, { codes }) =>
    prepared?.certificate.round === round
      ? {}
      : { digest: undefined, messages: messages.filter(({ code }) => code === codes.roundChange) },
  ),
  lostPreparedBlock: withRecord(() => ({ prepared: undefined })),
  lostRound: withRecord(({ round, prepared }) => ({ round: Math.max(0, prepared?.certificate.round ?? round - 1) })),
  recordNotRewritten: {
    wrapRecord({ read, write }) {
      let failed: Uint8Array | undefined
      return {
        read,
        write(bytes) {
          if (bytes === failed) return
          failed = bytes
          write(bytes)
        },
      }
    },
  },
  recordOneBehind: {
    wrapRecord({ read, write }) {
      let before: Uint8Array | undefined
      return {
        read,
        write(bytes) {
          if (before) write(before)
          before = bytes
        },
      }
    },
  },
  majorityOfHalf: { miscount: { halfDecides: true } },
  votesSurviveEpoch: { miscount: { keepsVotes: true } },
  validatorsOfGenesis: withParts(({ validatorsAfter }) => {
    let first: readonly Address[] | undefined
    return { validatorsAfter: (head) => (first ??= validatorsAfter(head)) }
  }),
}

/** Mistakes after which a network stands still, or nearly. */
const liveness: Record<string, BftTrade> = {
  noCatchUp: withPace(() => ({ roundToCatchUp: () => undefined })),
  noFutureMessages: withParts(({ limits }) => ({ limits: { ...limits, futureMessagesMaxDistance: 0 } })),
  noGossip: { gossips: false },
  noRepeatOnLink: withEvents(() => (event) => event.type !== 'link'),
  timerNeverDoubles: withPace(({ enter, wait }, { base }) => ({
    enter: (round) => Math.min(base, enter(round)),
    wait: () => Math.min(base, wait()),
  })),
  noCap: withPace((_, { base }) => {
    let round = 0
    return {
      enter(next) {
        round = next
        return base * 2 ** round
      },
      wait: () => base * 2 ** round,
      noteRound: () => false,
      reconnect: () => false,
    }
  }),
  roundsNeverRepeated: withPace((_, { base }) => {
    let round = 0
    return {
      enter(next) {
        round = next
        return Math.min(60_000, base * 2 ** round)
      },
      wait: () => Math.min(60_000, base * 2 ** round),
      expire: () => 'next',
      noteRound: () => false,
      reconnect: () => false,
      roundToCatchUp: () => undefined,
    }
  }),
  absentNeverSkipped: withPace(({ noteRound, wait, enter }, { rules: { proposerOf }, base }) => ({
    noteRound,
    enter: (round) => Math.max(enter(round), proposerOf(round) ? base : 0),
    wait: () => Math.max(wait(), base),
  })),
  wallClockTimers: withEffects((effects, _, now) =>
    effects.map((effect) =>
      effect.type === 'timer' && 'after' in effect.due ? { ...effect, due: { at: now + effect.due.after } } : effect,
    ),
  ),
  gateOnClaims: { believesClaims: 3000 },
  failureStopsTimers: withEffects((effects) =>
    effects.some(({ type }) => type === 'failure') ? effects.filter(({ type }) => type === 'failure') : effects,
  ),
  unknownValidatorsForgotten: withEffects((effects) =>
    effects.filter((one) => !(one.type === 'timer' && one.timer.kind === 'block' && 'after' in one.due)),
  ),
  noRoundTimer: withEffects((effects) => effects.filter((one) => !isRoundTimer(one))),
  earlyBlocks: withEffects((effects) =>
    effects.map((effect) =>
      effect.type === 'timer' && 'at' in effect.due ? { ...effect, due: { at: effect.due.at - 60_000 } } : effect,
    ),
  ),
}

type MessageGossip = ReturnType<typeof createMessageGossip>

function withoutRepetitions(passOn: MessageGossip): MessageGossip {
  const passed = new Set<string>()
  return (message) => {
    const key = `${message.code} ${keyOf(message.data)}`
    if (!passed.has(key)) passOn(message)
    passed.add(key)
  }
}

/** Mistakes in what is passed on, which show where not all are connected. */
export const gossipTrades: Readonly<Record<string, BftTrade>> = {
  // Repetitions would bring what was dropped.
  heldIsDropped: {
    createGossip(parts) {
      const passOn = withoutRepetitions(createMessageGossip(parts))
      return (message) => {
        const before = parts.status()
        if (message.data.length < 4096 || !before || before.round > 0) return passOn(message)
        parts.clock.after(parts.roundTime / 4, () => {
          const now = parts.status()
          if (now?.height === before.height && now.round <= 0) passOn({ ...message, mayWait: false })
        })
      }
    },
  },
  repeatNotPassedOn: { createGossip: (parts) => withoutRepetitions(createMessageGossip(parts)) },
  onlyProposalsPassedOn: {
    createGossip(parts) {
      const passOn = createMessageGossip(parts)
      return (message) => {
        if (message.mayWait) passOn(message)
      }
    },
  },
}

/** Deliberate bugs of honest IBFT 2.0 and QBFT validators, by name. */
export const bftTrades: Readonly<Record<string, BftTrade>> = {
  ...ruleTrades,
  ...memory,
  ...liveness,
  ...gossipTrades,
}
