import type { HashedHeader } from '../../src/chain/view.ts'
import type {
  BftMessage,
  BftView,
  DigestPayload,
  PreparedBlock,
  RoundChangePayload,
  Signed,
} from '../../src/consensus/bft/messages.ts'
import type { ProposedBlock } from '../../src/consensus/bft/proposedBlock.ts'
import { equalBytes } from '../../src/primitives/bytes.ts'

/** What a byzantine validator keeps of what others said, to use it where it does not belong. */
export interface LiarMemory {
  receive(message: BftMessage): void
  /** Real prepares of a height, whatever they are for. */
  prepares(height: bigint): readonly Signed<DigestPayload>[]
  /** Real round changes to a round of this height. */
  changesTo(view: BftView): readonly Signed<RoundChangePayload>[]
  /** Real round changes to a round of the same number of other heights, and to other rounds of this one. */
  strayChanges(view: BftView): readonly Signed<RoundChangePayload>[]
  /** What was really proposed at a height. */
  proposals(height: bigint): readonly Proposed[]
  /** Blocks that were really prepared at a height, with their proofs. */
  proofs(height: bigint): readonly PreparedBlock[]
  /** A time that a block on this parent may have. */
  timeOn(parent: HashedHeader): bigint
}

/** A block and the word of its proposer. */
export interface Proposed {
  readonly block: ProposedBlock
  readonly signed: Signed<DigestPayload>
}

const remembered = 120

function createLog<T>() {
  const list: T[] = []
  return {
    list,
    add(entry: T): void {
      list.push(entry)
      if (list.length > remembered) list.shift()
    },
  }
}

export function createLiarMemory(): LiarMemory {
  const prepares = createLog<Signed<DigestPayload>>()
  const changes = createLog<Signed<RoundChangePayload>>()
  const proposals = createLog<Proposed>()
  const proofs = createLog<{ readonly height: bigint; readonly prepared: PreparedBlock }>()

  function receive(message: BftMessage): void {
    switch (message.kind) {
      case 'prepare':
        prepares.add(message.signed)
        return
      case 'proposal':
        proposals.add({ block: message.block, signed: message.signed })
        for (const one of message.roundChanges) changes.add(one)
        for (const certificate of message.certificates) for (const one of certificate.prepares) prepares.add(one)
        return
      case 'roundChange': {
        const { signed, block, certificate } = message
        changes.add(signed)
        if (block && certificate) proofs.add({ height: signed.payload.height, prepared: { block, certificate } })
        return
      }
      default:
    }
  }

  return {
    receive,
    prepares: (height) => prepares.list.filter(({ payload }) => payload.height === height),
    changesTo: ({ height, round }) =>
      changes.list.filter(({ payload }) => payload.height === height && payload.round === round),
    strayChanges: ({ height, round }) =>
      changes.list.filter(({ payload }) => (payload.height === height) !== (payload.round === round)),
    proposals: (height) => proposals.list.filter(({ signed }) => signed.payload.height === height),
    proofs: (height) => proofs.list.filter((one) => one.height === height).map(({ prepared }) => prepared),
    timeOn({ hash, header }) {
      const known = proposals.list.findLast(({ block: { block } }) => equalBytes(block.header.parentHash, hash))
      return known?.block.block.header.timestamp ?? header.timestamp + 1n
    },
  }
}
