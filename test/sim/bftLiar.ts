import { createBftRound } from '../../src/consensus/bft/bftRound.ts'
import type { BftCrypto } from '../../src/consensus/bft/machine.ts'
import { createMessageSender, type MessageSender } from '../../src/consensus/bft/messageSender.ts'
import type {
  BftMessage,
  BftView,
  Certificate,
  PreparedBlock,
  ProposalMessage,
  RoundChangeMessage,
  RoundChangePayload,
  Signed,
} from '../../src/consensus/bft/messages.ts'
import { commitHashAt, type ProposedBlock, toProposedBlock } from '../../src/consensus/bft/proposedBlock.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import type { Block } from '../../src/types/block.ts'
import type { Random } from '../fuzz/random.ts'
import type { Authority } from '../support/authorityChain.ts'
import type { Misdeed } from './bftSetting.ts'

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
  /** Another block for the height that its node works on; undefined when that is not `height`. */
  readonly rival: (height: bigint, round: number, timestamp: bigint) => Block | undefined
  readonly read: (code: number, data: Uint8Array) => BftMessage | undefined
  readonly post: (code: number, data: Uint8Array, to: readonly Authority[]) => void
}

/** Turns what an honest machine wants to say into what a byzantine validator says. */
export interface BftLiar {
  say(code: number, data: Uint8Array): void
  hear(code: number, data: Uint8Array): void
}

type Words = readonly (readonly [code: number, data: Uint8Array])[]

const remembered = 100

export function createBftLiar(parts: BftLiarParts): BftLiar {
  const { random, protocol, key, crypto, misdeeds, others, rival, read } = parts
  const { codec, codes } = protocol
  const memory: (readonly [number, Uint8Array])[] = []
  let heardChanges: readonly Signed<RoundChangePayload>[] = []
  let latestTime = 0n
  let staleProof: { readonly height: bigint; readonly prepared: PreparedBlock } | undefined
  const does = (deed: Misdeed, percent: number) => misdeeds.has(deed) && random.percent(percent)
  const some = () => others.filter(() => random.percent(50))

  function post(words: Words, to: readonly Authority[]): void {
    for (const [code, data] of words) parts.post(code, data, to)
  }

  /** What a sender says when left to do something. */
  function spoken(height: bigint, as: Authority, speak: (sender: MessageSender) => void): Words {
    const words: [number, Uint8Array][] = []
    const sign = as === key ? crypto.sign : parts.forging(as).sign
    const sender = createMessageSender(
      { protocol, crypto: { ...crypto, sign }, address: as.address },
      height,
      (effect) => {
        if (effect.type === 'send') words.push([effect.code, effect.data])
      },
    )
    speak(sender)
    return words
  }

  function votesFor(height: bigint, round: number, block: ProposedBlock, as = key): Words {
    return spoken(height, as, (sender) => {
      const seal = (as === key ? crypto : parts.forging(as)).sign(commitHashAt(codec, block, round))
      sender.prepare(createBftRound(round), block.digest)
      sender.commit(createBftRound(round), block.digest, seal)
    })
  }

  function rivalTo(height: bigint, round: number, timestamp: bigint): ProposedBlock | undefined {
    const block = rival(height, round, timestamp)
    return block && toProposedBlock(codec, block)
  }

  /** A proposal with as much of a justification as there is, or less. */
  function rivalProposal(
    { height, round }: BftView,
    block: ProposedBlock,
    all: readonly Signed<RoundChangePayload>[],
    certificate: Certificate | undefined,
  ): Words {
    const kept = random.percent(50) ? all : all.filter(({ payload }) => payload.claim === undefined)
    const changes = kept.map(
      (signed): RoundChangeMessage => ({ kind: 'roundChange', signed, block: undefined, certificate: undefined }),
    )
    return spoken(height, key, (sender) => {
      sender.propose(createBftRound(round), block, changes, certificate && { block, certificate })
    })
  }

  /** Proposes a block of its own for a round that is not, or not yet, justified. */
  function usurp({ height, round }: BftView, timestamp: bigint): void {
    const block = rivalTo(height, round, timestamp)
    if (!block) return
    const changes = heardChanges.filter(({ payload }) => payload.height === height && payload.round === round)
    post(rivalProposal({ height, round }, block, changes, undefined), others)
    post(votesFor(height, round, block), others)
  }

  function hearVote(message: BftMessage): void {
    const { author, payload } = message.signed
    if (message.kind === 'proposal') latestTime = message.block.block.header.timestamp
    if (message.kind === 'roundChange') heardChanges = [...heardChanges, message.signed].slice(-remembered)
    // Two liars that answer each other would never come to an end.
    if (!parts.isHonest(author)) return
    if (message.kind === 'commit' && does('usurp', 30)) usurp({ ...payload, round: payload.round + 1 }, latestTime)
    if (message.kind === 'roundChange' && does('usurp', 30)) usurp(payload, latestTime)
  }

  function sayProposal(message: ProposalMessage, words: Words): void {
    const { height, round } = message.signed.payload
    const { timestamp } = message.block.block.header
    const isInvalid = does('invalid', 30)
    const block = isInvalid || does('equivocate', 80) ? rivalTo(height, round, isInvalid ? 1n : timestamp) : undefined
    if (!block) {
      post(words, others)
      return
    }
    const [certificate] = random.percent(50) ? message.certificates : []
    const rivals = rivalProposal({ height, round }, block, message.roundChanges, certificate)
    const first = some()
    post(words, isInvalid ? [] : first)
    post(rivals, random.percent(30) ? others : others.filter((one) => !first.includes(one)))
    post(votesFor(height, round, message.block), random.percent(50) ? others : first)
    post(votesFor(height, round, block), others)
  }

  /** A proof out of nothing: prepares that their authors never signed, or one of its own many times. */
  function falseProof(height: bigint, round: number): PreparedBlock | undefined {
    const block = rivalTo(height, round, BigInt(Math.floor(random.below(2 ** 31))))
    if (!block) return undefined
    const authors = random.percent(50) ? others : others.map(() => key)
    const prepares: Certificate['prepares'][number][] = []
    for (const as of authors)
      spoken(height, as, (sender) => prepares.push(sender.prepare(createBftRound(round), block.digest)))
    let proposal: Certificate['proposal']
    if (!protocol.proposerPrepares)
      spoken(height, key, (sender) => {
        proposal = sender.propose(createBftRound(round), block, [], undefined)
      })
    return { block, certificate: { round, digest: block.digest, proposal, prepares } }
  }

  function sayRoundChange({ signed, block, certificate }: RoundChangeMessage, words: Words): void {
    const { height, round } = signed.payload
    const prepared = block && certificate && { block, certificate }
    const stale = staleProof?.height === height ? staleProof.prepared : undefined
    if (prepared && !stale) staleProof = { height, prepared }
    if (!does('lie', 80)) {
      post(words, others)
      return
    }
    const claims = [undefined, stale, prepared, falseProof(height, random.below(round))]
    const first = some()
    for (const to of [first, others.filter((one) => !first.includes(one))]) {
      const claim = random.pick(claims)
      post(
        spoken(height, key, (sender) => void sender.changeRound(createBftRound(round), claim)),
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
        spoken(height, victim, (sender) => void sender.changeRound(createBftRound(round + 1), undefined)),
        others,
      )
    }
  }

  /** Old words of anybody, and words that are none. */
  function disturb(): void {
    if (does('replay', 20) && memory.length > 0) post([random.pick(memory)], some())
    if (!does('garbage', 20)) return
    const code = random.pick(Object.values(codes))
    const broken = memory.length > 0 && random.percent(70) ? random.pick(memory)[1].slice() : random.bytes(40)
    broken[random.below(broken.length)]! ^= 1 << random.below(8)
    post([[code, random.percent(30) ? broken.subarray(0, random.below(broken.length)) : broken]], some())
  }

  return {
    say(code, data) {
      const message = read(code, data)
      if (misdeeds.has('silent') || !message) return
      const words: Words = [[code, data]]
      if (message.kind === 'proposal') sayProposal(message, words)
      else if (message.kind === 'roundChange') sayRoundChange(message, words)
      else if (message.kind === 'commit' && does('withhold', 80)) post(words, random.percent(50) ? [] : some())
      else post(words, others)
      if (does('forge', 20)) forge(message)
      disturb()
    },
    hear(code, data) {
      if (misdeeds.has('silent')) return
      memory.push([code, data])
      if (memory.length > remembered) memory.shift()
      const message = misdeeds.has('usurp') || code === codes.proposal ? read(code, data) : undefined
      if (!message) return
      hearVote(message)
      if (message.kind !== 'proposal' || !misdeeds.has('double')) return
      const { height, round } = message.signed.payload
      post(votesFor(height, round, message.block), random.percent(50) ? others : some())
    },
  }
}
