import type { Hash32 } from '../../primitives/bytes.ts'
import type { RlpItem } from '../../primitives/rlp.ts'
import type { BftCodec } from './extraData.ts'
import type { ListPlace } from './messageEncoding.ts'
import type {
  BftKind,
  BftReader,
  BftView,
  Certificate,
  PreparedBlock,
  ProposalMessage,
  RoundChangeMessage,
} from './messages.ts'
import type { ProposedBlock } from './proposedBlock.ts'

/** Encoding of a number in a payload. */
export interface NumberField<T> {
  write(value: T): Uint8Array
  read(item: RlpItem): T
}

/** All differences between IBFT 2.0 and QBFT. */
export interface BftProtocol {
  readonly name: 'ibft2' | 'qbft'
  /** RLPx sub-protocol of the messages. */
  readonly wire: { readonly name: string; readonly version: number; readonly length: number }
  /** Layout of extra data. */
  readonly codec: BftCodec
  readonly codes: Readonly<Record<BftKind, number>>
  /** Where messages of Besu 26 have an access list; this protocol writes them without it, and reads both. */
  readonly accessList: Readonly<Record<'proposal' | 'roundChange', ListPlace>>
  readonly height: NumberField<bigint>
  readonly round: NumberField<number>

  /** Whether round 0 starts as soon as the height, so that its timer includes the block period. */
  readonly startsWithHeight: boolean
  /** Whether the proposer sends a prepare; if not, its proposal counts as one. */
  readonly proposerPrepares: boolean
  /** Whether the round in a block must be that of its proposal. */
  readonly bindsRound: boolean
  /** Whether a block that was not prepared before must have its proposer as beneficiary. */
  readonly bindsBeneficiary: boolean
  /** Whether the author of a proposal signs all of its block, not its digest. */
  readonly signsBlocks: boolean
  /** Whether the block in a round change is executed; if not, its certificate suffices. */
  readonly checksPreparedBlocks: boolean

  /** The hash that the author of an encoded payload signs. */
  signingDigest(code: number, payload: Uint8Array): Hash32
  /** What that is the hash of. */
  signingContent(code: number, payload: Uint8Array): Uint8Array
  encodeProposalPayload(view: BftView, block: ProposedBlock): Uint8Array
  encodeRoundChangePayload(view: BftView, certificate: Certificate | undefined): Uint8Array
  /** `signed` and `roundChanges` are signed payloads; `certificate` proves that the block was prepared earlier. */
  encodeProposal(
    signed: Uint8Array,
    block: ProposedBlock,
    roundChanges: readonly Uint8Array[],
    certificate: Certificate | undefined,
  ): Uint8Array
  encodeRoundChange(signed: Uint8Array, prepared: PreparedBlock | undefined): Uint8Array
  readProposal(data: Uint8Array, reader: BftReader): ProposalMessage
  readRoundChange(data: Uint8Array, reader: BftReader): RoundChangeMessage
}
