import type { HashedHeader } from '../../src/chain/view.ts'
import type { BftMessage, DigestPayload, ProposalMessage } from '../../src/consensus/bft/messages.ts'
import type { ProposedBlock } from '../../src/consensus/bft/proposedBlock.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { type Address, equalBytes, type Hash32, keyOf } from '../../src/primitives/bytes.ts'
import { createWitness } from '../support/machineNetwork.ts'
import type { BftLaw } from './bftLaw.ts'
import { faultOfProposal, type Place } from './justification.ts'
import { Violation } from './world.ts'

/** The promises of the protocol, looked at with every message and every block. */
export interface BftChecks {
  /** Anybody's message, before it is on its way: blocks are known by what they are called in messages. */
  onWire(message: BftMessage, data: Uint8Array): void
  /** A block that an honest validator votes for, before it says so. */
  onBlock(block: ProposedBlock): void
  /** An honest validator's. */
  onSend(message: BftMessage, data: Uint8Array, author: Address): void
  /** A block becomes the head of an honest validator. */
  onImport(block: HashedHeader): void
}

/** What happened to one block in one round of one height. */
interface Ballot {
  readonly round: number
  readonly hash: string
  readonly committers: Set<string>
  hasPrepares: boolean
  isLocked: boolean
}

interface HeightNotes {
  readonly ballots: Map<string, Ballot>
  /** By validator: the latest round in which it committed. */
  readonly committed: Map<string, number>
  /** By validator and round: what it prepared. */
  readonly prepared: Map<string, Hash32>
}

/** What of the law these need: the block that everyone starts with, and who decides on the next one. */
type ChecksLaw = Pick<BftLaw, 'genesis' | 'hashOf' | 'validatorsAfter'>

export function createBftChecks(protocol: BftProtocol, law: ChecksLaw, byzantine: ReadonlySet<string>): BftChecks {
  const witness = createWitness()
  const hashes = new Map<string, string>()
  const heights = new Map<bigint, HeightNotes>()
  const proposals = new Map<string, { readonly message: ProposalMessage; readonly data: Uint8Array }[]>()
  const final = new Map<bigint, HashedHeader>([[law.genesis.header.number, law.genesis]])

  function notesOf(height: bigint): HeightNotes {
    const known = heights.get(height)
    if (known) return known
    const notes = { ballots: new Map(), committed: new Map(), prepared: new Map() }
    heights.set(height, notes)
    return notes
  }

  function ballotOf({ ballots }: HeightNotes, round: number, digest: Hash32, validators: number): Ballot {
    // One who is alone need not say what it votes for.
    const hash = hashes.get(keyOf(digest)) ?? (validators === 1 ? keyOf(digest) : undefined)
    if (!hash) throw new Violation('voted for a block that nobody proposed')
    const key = `${round} ${hash}`
    const known = ballots.get(key)
    if (known) return known
    const ballot = { round, hash, committers: new Set<string>(), hasPrepares: false, isLocked: false }
    ballots.set(key, ballot)
    return ballot
  }

  /** From where byzantine validators could make a block final alone, no honest one may go for another any more. */
  function checkLocks({ ballots }: HeightNotes, height: bigint): void {
    for (const locked of ballots.values()) {
      if (!locked.isLocked) continue
      for (const other of ballots.values()) {
        if (other.hash === locked.hash) continue
        const isAgainst = other.isLocked || (other.hasPrepares && other.round > locked.round)
        if (isAgainst) throw new Violation(`lock broken: height ${height}, rounds ${locked.round} and ${other.round}`)
      }
    }
  }

  function canBeFinal({ committers }: Ballot, validators: readonly Address[]): boolean {
    const wrong = validators.filter((one) => byzantine.has(keyOf(one))).length
    return 3 * (committers.size + wrong) >= 2 * validators.length
  }

  const hashOf = (digest: Hash32) => hashes.get(keyOf(digest))
  const placeOf = ({ height, round, digest }: DigestPayload) => `${height} ${round} ${keyOf(digest)}`

  /** An honest validator votes for nothing but what the right one has proposed, for a reason. */
  function checkVote(payload: DigestPayload, place: Place): void {
    const faults = (proposals.get(placeOf(payload)) ?? []).map(({ message }) =>
      faultOfProposal(protocol, message, place, hashOf),
    )
    if (faults.length > 0 && faults.every((fault) => fault !== undefined))
      throw new Violation(`voted for a proposal at ${payload.height}/${payload.round} that is wrong: ${faults[0]}`)
  }

  /** Undefined where no honest validator has the parent: nothing can be said then. */
  const parentOf = (height: bigint) => final.get(height - 1n)

  function onBlock({ digest, block }: ProposedBlock): void {
    hashes.set(keyOf(digest), keyOf(law.hashOf(block.header)))
  }

  return {
    onBlock,
    onWire(message, data) {
      const carried = message.kind === 'proposal' || message.kind === 'roundChange' ? message.block : undefined
      if (!carried) return
      onBlock(carried)
      if (message.kind !== 'proposal') return
      const place = placeOf(message.signed.payload)
      const known = proposals.get(place) ?? []
      // The same one is said many times.
      if (!known.some((one) => equalBytes(one.data, data))) proposals.set(place, [...known, { message, data }])
    },
    onSend(message, data, author) {
      try {
        witness.receive(message, data)
      } catch (error) {
        throw new Violation(`contradiction: ${error instanceof Error ? error.message : String(error)}`)
      }
      const { payload } = message.signed
      const { height, round } = payload
      const parent = parentOf(height)
      if (!parent) throw new Violation(`spoke of height ${height}, which nobody has reached`)
      const validators = law.validatorsAfter(parent)
      const notes = notesOf(height)
      const speaker = keyOf(author)
      switch (message.kind) {
        case 'proposal':
          checkVote(message.signed.payload, { parent, validators })
          break
        case 'prepare':
          checkVote(message.signed.payload, { parent, validators })
          notes.prepared.set(`${speaker} ${round}`, message.signed.payload.digest)
          ballotOf(notes, round, message.signed.payload.digest, validators.length).hasPrepares = true
          checkLocks(notes, height)
          break
        case 'commit': {
          const ballot = ballotOf(notes, round, message.signed.payload.digest, validators.length)
          const own = notes.prepared.get(`${speaker} ${round}`)
          if (own && !equalBytes(own, message.signed.payload.digest))
            throw new Violation(`committed what it had not prepared: ${height}/${round}`)
          ballot.committers.add(speaker)
          ballot.isLocked ||= canBeFinal(ballot, validators)
          notes.committed.set(speaker, round)
          checkLocks(notes, height)
          break
        }
        case 'roundChange': {
          const committed = notes.committed.get(speaker)
          if (committed !== undefined && (message.signed.payload.claim?.round ?? -1) < committed)
            throw new Violation(`prepared block forgotten: ${height}/${round}`)
          break
        }
      }
    },
    onImport(block) {
      const { number } = block.header
      const known = final.get(number)
      if (known && !equalBytes(known.hash, block.hash)) throw new Violation(`two final blocks: height ${number}`)
      final.set(number, block)
    },
  }
}
