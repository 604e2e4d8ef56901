import type { HashedHeader } from '../../src/chain/view.ts'
import { bftBlockHash } from '../../src/consensus/bft/bftHash.ts'
import type { BftMessage } from '../../src/consensus/bft/messages.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { type Address, compareBytes, equalBytes, type Hash32, keyOf } from '../../src/primitives/bytes.ts'
import { createWitness } from '../support/bftNetwork.ts'
import type { BftLaw } from './bftLaw.ts'
import { Violation } from './world.ts'

/** The promises of the protocol, looked at with every message and every block. */
export interface BftChecks {
  /** Anybody's message, before it is on its way: blocks are known by what they are called in messages. */
  onWire(message: BftMessage): void
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
}

/** Who has to propose, worked out once more from the rules. */
function proposerOf(validators: readonly Address[], { header }: HashedHeader, round: number): Address {
  const upTo = validators.filter((one) => compareBytes(one, header.beneficiary) <= 0).length
  return validators[(upTo + round) % validators.length]!
}

export function createBftChecks(protocol: BftProtocol, law: BftLaw, byzantine: ReadonlySet<string>): BftChecks {
  const witness = createWitness()
  const hashes = new Map<string, string>()
  const heights = new Map<bigint, HeightNotes>()
  const final = new Map<bigint, HashedHeader>([[0n, law.genesis]])

  function notesOf(height: bigint): HeightNotes {
    const known = heights.get(height)
    if (known) return known
    const notes = { ballots: new Map(), committed: new Map() }
    heights.set(height, notes)
    return notes
  }

  function ballotOf({ ballots }: HeightNotes, round: number, digest: Hash32): Ballot {
    const hash = hashes.get(keyOf(digest))
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

  /** Undefined where no honest validator has the parent: nothing can be said then. */
  const parentOf = (height: bigint) => final.get(height - 1n)

  return {
    onWire(message) {
      if (message.kind !== 'proposal') return
      const { block, digest } = message.block
      hashes.set(keyOf(digest), keyOf(bftBlockHash(protocol.codec, block.header)))
    },
    onSend(message, data, author) {
      try {
        witness.hear(message, data)
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
          if (!equalBytes(proposerOf(validators, parent, round), author))
            throw new Violation(`proposed out of turn: ${height}/${round}`)
          break
        case 'prepare':
          ballotOf(notes, round, message.signed.payload.digest).hasPrepares = true
          checkLocks(notes, height)
          break
        case 'commit': {
          const ballot = ballotOf(notes, round, message.signed.payload.digest)
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
