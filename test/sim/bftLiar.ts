import type { HashedHeader } from '../../src/chain/view.ts'
import { createBftRound } from '../../src/consensus/bft/bftRound.ts'
import type { BftBlockPlan, BftCrypto } from '../../src/consensus/bft/machine.ts'
import { createMessageSender, type MessageSender } from '../../src/consensus/bft/messageSender.ts'
import type {
  BftMessage,
  BftView,
  Certificate,
  DigestPayload,
  PreparedBlock,
  ProposalMessage,
  RoundChangeMessage,
  RoundChangePayload,
  Signed,
} from '../../src/consensus/bft/messages.ts'
import { createOwnWords } from '../../src/consensus/bft/ownWords.ts'
import { commitHashAt, type ProposedBlock, toProposedBlock, withRound } from '../../src/consensus/bft/proposedBlock.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { createSigning } from '../../src/consensus/bft/signing.ts'
import { type Address, equalBytes, keyOf, toHash32 } from '../../src/primitives/bytes.ts'
import type { Block } from '../../src/types/block.ts'
import type { Random } from '../fuzz/random.ts'
import type { Authority } from '../support/authorityChain.ts'
import type { Misdeed } from './bftSetting.ts'
import { createLiarMemory, type Proposed } from './liarMemory.ts'

export interface BftLiarParts {
  readonly random: Random
  readonly protocol: BftProtocol
  readonly key: Authority
  readonly crypto: BftCrypto
  /** Signatures in another's name, as far as one without the key gets. */
  readonly forging: (victim: Authority) => Pick<BftCrypto, 'sign'>
  readonly misdeeds: ReadonlySet<Misdeed>
  readonly others: readonly Authority[]
  readonly isHonest: (address: Address) => boolean
  /** The head of its own chain. */
  readonly head: () => HashedHeader
  readonly build: (plan: BftBlockPlan) => Block
  /** Whether it proposes in a round on its head. */
  readonly isTurn: (round: number) => boolean
  readonly read: (code: number, data: Uint8Array) => BftMessage | undefined
  readonly post: (code: number, data: Uint8Array, to: readonly Authority[]) => void
}

/** Turns what an honest machine wants to say into what a byzantine validator says. */
export interface BftLiar {
  say(code: number, data: Uint8Array): void
  receive(code: number, data: Uint8Array): void
}

type Words = readonly (readonly [code: number, data: Uint8Array])[]

const remembered = 100

export function createBftLiar(parts: BftLiarParts): BftLiar {
  const { random, protocol, key, crypto, misdeeds, others, read } = parts
  const { codec, codes } = protocol
  const words: (readonly [number, Uint8Array])[] = []
  const memory = createLiarMemory()
  const does = (deed: Misdeed, percent: number) => misdeeds.has(deed) && random.percent(percent)
  const some = () => others.filter(() => random.percent(50))
  const without = (list: readonly Authority[]) => others.filter((one) => !list.includes(one))

  function post(list: Words, to: readonly Authority[]): void {
    for (const [code, data] of list) parts.post(code, data, to)
  }

  /** What a sender says when left to do something. */
  function spoken(height: bigint, as: Authority, speak: (sender: MessageSender) => void): Words {
    const list: [number, Uint8Array][] = []
    const sign = as === key ? crypto.sign : parts.forging(as).sign
    const sender = createMessageSender(
      {
        ...{ protocol, address: as.address, words: createOwnWords(as.address), isCurrent: () => true },
        signing: createSigning(sign, () => {}),
      },
      height,
      (effect) => {
        if (effect.type === 'send') list.push([effect.code, effect.data])
      },
    )
    speak(sender)
    return list
  }

  /** A seal that is its own, and of something else; else the right one. */
  function sealOf(block: ProposedBlock, round: number, as: Authority): Uint8Array {
    const { sign } = as === key ? crypto : parts.forging(as)
    return sign(commitHashAt(codec, block, as === key && does('badSeal', 60) ? round + 1 : round))
  }

  function votesFor(height: bigint, round: number, block: ProposedBlock, as = key): Words {
    return spoken(height, as, (sender) => {
      sender.prepare(createBftRound(round), block.digest, () => {})
      sender.commit(createBftRound(round), block.digest, sealOf(block, round, as), () => {})
    })
  }

  /** Another block for the height that its node works on; one that others may take, unless a time is given. */
  function rivalTo(height: bigint, round: number, time?: bigint): ProposedBlock | undefined {
    const parent = parts.head()
    if (parent.header.number + 1n !== height) return undefined
    const timestamp = time ?? memory.timeOn(parent)
    return toProposedBlock(codec, parts.build({ parent, round, timestamp }))
  }

  /** Whatever justification looks like one: real, shortened, with words of other heights and rounds, or its own again and again. */
  function justify(view: BftView, real: readonly Signed<RoundChangePayload>[]): readonly Signed<RoundChangePayload>[] {
    const unclaimed = real.filter(({ payload }) => payload.claim === undefined)
    const kept = random.percent(40) ? real : unclaimed
    if (!does('reuse', 70)) return kept
    const own = ownChange(view, undefined)
    switch (random.below(3)) {
      case 0:
        return distinct([...unclaimed, own, ...memory.strayChanges(view).filter(({ payload }) => !payload.claim)])
      case 1:
        return [...unclaimed, ...others.map(() => own)].slice(0, others.length)
      default:
        return distinct([...kept, own])
    }
  }

  function distinct<P>(list: readonly Signed<P>[]): readonly Signed<P>[] {
    return [...new Map(list.map((one) => [keyOf(one.author), one])).values()]
  }

  function ownChange({ height, round }: BftView, claim: PreparedBlock | undefined): Signed<RoundChangePayload> {
    let signed: Signed<RoundChangePayload> | undefined
    spoken(height, key, (sender) => {
      sender.changeRound(createBftRound(round), claim, (change) => {
        signed = change.signed
      })
    })
    return signed!
  }

  function rivalProposal(
    view: BftView,
    block: ProposedBlock,
    all: readonly Signed<RoundChangePayload>[],
    certificate: Certificate | undefined,
  ): Words {
    const changes = justify(view, all).map(
      (signed): RoundChangeMessage => ({ kind: 'roundChange', signed, block: undefined, certificate: undefined }),
    )
    return spoken(view.height, key, (sender) => {
      sender.propose(createBftRound(view.round), block, changes, certificate && { block, certificate }, () => {})
    })
  }

  /** Proposes a block of its own for a round that is not, or not yet, justified. */
  function usurp({ height, round }: BftView): void {
    const block = rivalTo(height, round)
    if (!block) return
    post(rivalProposal({ height, round }, block, memory.changesTo({ height, round }), undefined), others)
    post(votesFor(height, round, block), others)
  }

  /** With a false proof: a proposal of its own block that its own round change calls for. */
  function usurpWithProof({ height, round }: BftView): void {
    const proof = round > 0 ? falseProof(height, round) : undefined
    if (!proof) return
    const block = withRound(codec, proof.block, round)
    const real = memory.changesTo({ height, round }).filter(({ author }) => !equalBytes(author, key.address))
    const changes = distinct([...real, ownChange({ height, round }, proof)])
    const messages = changes.map(
      (signed): RoundChangeMessage => ({ kind: 'roundChange', signed, block: undefined, certificate: undefined }),
    )
    post(
      spoken(height, key, (sender) => {
        sender.propose(
          createBftRound(round),
          block,
          messages,
          { block: proof.block, certificate: proof.certificate },
          () => {},
        )
      }),
      others,
    )
    post(votesFor(height, round, block), others)
  }

  function receiveVote(message: BftMessage): void {
    const { author, payload } = message.signed
    // Two liars that answer each other would never come to an end.
    if (!parts.isHonest(author)) return
    if (message.kind === 'commit' && does('usurp', 30)) usurp({ ...payload, round: payload.round + 1 })
    if (message.kind !== 'roundChange') return
    const often = parts.isTurn(payload.round) ? 60 : 10
    if (does('lie', often)) usurpWithProof(payload)
    if (does('usurp', often)) usurp(payload)
  }

  function sayProposal(message: ProposalMessage, said: Words): void {
    const { height, round } = message.signed.payload
    const isInvalid = does('invalid', 30)
    const block = isInvalid || does('equivocate', 80) ? rivalTo(height, round, isInvalid ? 1n : undefined) : undefined
    if (!block) {
      post(said, others)
      return
    }
    const [certificate] = random.percent(50) ? message.certificates : []
    const rivals = rivalProposal({ height, round }, block, message.roundChanges, certificate)
    const first = some()
    post(said, isInvalid ? [] : first)
    post(rivals, random.percent(30) ? others : without(first))
    post(votesFor(height, round, message.block), random.percent(50) ? others : first)
    post(votesFor(height, round, block), others)
  }

  function prepareOf(height: bigint, round: number, digest: DigestPayload['digest'], as = key): Signed<DigestPayload> {
    let prepare: Signed<DigestPayload> | undefined
    spoken(height, as, (sender) => {
      sender.prepare(createBftRound(round), digest, (signed) => {
        prepare = signed
      })
    })
    return prepare!
  }

  /** Prepares that look like a quorum for a block: forged, its own many times, or real ones of other blocks and rounds. */
  function falsePrepares(height: bigint, round: number, block: ProposedBlock): readonly Signed<DigestPayload>[] {
    const own = prepareOf(height, round, block.digest)
    const real = memory.prepares(height)
    // In IBFT 2.0 the leader of the round has no say.
    const mine = protocol.proposerPrepares || !parts.isTurn(round) ? [own] : []
    switch (misdeeds.has('reuse') ? random.between(1, 4) : random.below(2)) {
      case 0:
        return others.map((as) => prepareOf(height, round, block.digest, as))
      case 1:
        return others.map(() => own)
      case 2:
        return distinct([...real.filter(({ payload }) => payload.round === round), ...mine])
      case 3:
        return distinct([...real.filter(({ payload }) => equalBytes(payload.digest, block.digest)), ...mine])
      default:
        return distinct([...real, ...mine])
    }
  }

  /** A proof that is none, of a round before this one: of its own block, or of one that was really proposed. */
  function falseProof(height: bigint, before: number): PreparedBlock | undefined {
    const real = memory.proposals(height).filter(({ signed }) => signed.payload.round < before)
    return real.length > 0 && random.percent(50)
      ? twistedProof(height, before, random.pick(real))
      : madeUpProof(height, before)
  }

  function twistedProof(height: bigint, before: number, { block, signed }: Proposed): PreparedBlock {
    // Where the proposer's word is part of the proof, the round is that of its word.
    const round = protocol.proposerPrepares && random.percent(50) ? before - 1 : signed.payload.round
    const proposal = protocol.proposerPrepares ? undefined : signed
    const prepares = falsePrepares(height, round, block)
    return { block, certificate: { round, digest: block.digest, proposal, prepares } }
  }

  function madeUpProof(height: bigint, before: number): PreparedBlock | undefined {
    const led = Array.from({ length: before }, (_, number) => number).filter(parts.isTurn)
    const voted = memory.prepares(height).flatMap(({ payload }) => (payload.round < before ? [payload.round] : []))
    const rounds = protocol.proposerPrepares ? voted : led
    const round = rounds.length > 0 ? random.pick(rounds) : before - 1
    const block = rivalTo(height, round)
    if (!block) return undefined
    let proposal: Certificate['proposal']
    if (!protocol.proposerPrepares)
      spoken(height, key, (sender) => {
        sender.propose(createBftRound(round), block, [], undefined, (signed) => {
          proposal = signed
        })
      })
    const prepares = falsePrepares(height, round, block)
    return { block, certificate: { round, digest: block.digest, proposal, prepares } }
  }

  function sayRoundChange({ signed, block, certificate }: RoundChangeMessage, said: Words): void {
    const { height, round } = signed.payload
    if (!does('lie', 80)) {
      post(said, others)
      return
    }
    const prepared = block && certificate && { block, certificate }
    const old = memory.proofs(height)
    const claims = [undefined, prepared, falseProof(height, round), old[0]]
    const first = some()
    for (const to of [first, without(first)]) {
      const claim = random.pick(claims)
      post(
        spoken(height, key, (sender) => void sender.changeRound(createBftRound(round), claim, () => {})),
        to,
      )
    }
  }

  function forge(message: BftMessage): void {
    const { height, round } = message.signed.payload
    const block = message.kind === 'proposal' ? message.block : rivalTo(height, round, 1n)
    if (!block) return
    for (const victim of some()) {
      post(votesFor(height, round, block, victim), others)
      post(
        spoken(height, victim, (sender) => void sender.changeRound(createBftRound(round + 1), undefined, () => {})),
        others,
      )
    }
  }

  /** A commit for the right block whose seal is of another. */
  function badCommit({ height, round, digest }: DigestPayload): Words {
    const seal = crypto.sign(toHash32(random.bytes(32)))
    return spoken(height, key, (sender) => sender.commit(createBftRound(round), digest, seal, () => {}))
  }

  /** Old words of anybody, also under another code, and words that are none. */
  function disturb(): void {
    if (does('replay', 20) && words.length > 0) {
      const [code, data] = random.pick(words)
      post([[random.percent(50) ? code : random.pick(Object.values(codes)), data]], some())
    }
    if (!does('garbage', 20)) return
    const code = random.pick(Object.values(codes))
    const broken = words.length > 0 && random.percent(70) ? random.pick(words)[1].slice() : random.bytes(40)
    broken[random.below(broken.length)]! ^= 1 << random.below(8)
    post([[code, random.percent(30) ? broken.subarray(0, random.below(broken.length)) : broken]], some())
  }

  return {
    say(code, data) {
      const message = read(code, data)
      if (misdeeds.has('silent') || !message) return
      memory.receive(message)
      const said: Words = [[code, data]]
      if (message.kind === 'proposal') sayProposal(message, said)
      else if (message.kind === 'roundChange') sayRoundChange(message, said)
      else if (message.kind === 'commit' && does('badSeal', 60)) post(badCommit(message.signed.payload), others)
      else if (message.kind === 'commit' && does('withhold', 80)) post(said, random.percent(50) ? [] : some())
      else post(said, others)
      if (does('forge', 20)) forge(message)
      disturb()
    },
    receive(code, data) {
      if (misdeeds.has('silent')) return
      words.push([code, data])
      if (words.length > remembered) words.shift()
      const message = read(code, data)
      if (!message) return
      memory.receive(message)
      receiveVote(message)
      if (message.kind !== 'proposal' || !misdeeds.has('double')) return
      const { height, round } = message.signed.payload
      post(votesFor(height, round, message.block), random.percent(50) ? others : some())
    },
  }
}
