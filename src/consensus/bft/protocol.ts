import type { Hash32 } from '../../primitives/bytes.ts'
import type { RlpItem } from '../../primitives/rlp.ts'
import type { BftCodec } from './extraData.ts'
import type {
  BftKind,
  BftReader,
  BftView,
  Certificate,
  Prepared,
  ProposalMessage,
  RoundChangeMessage,
} from './messages.ts'
import type { ProposedBlock } from './proposedBlock.ts'

/** How a number is written in a payload. */
export interface NumberField<T> {
  write(value: T): Uint8Array
  read(item: RlpItem): T
}

/** Everything that tells IBFT 2.0 and QBFT apart. */
export interface BftProtocol {
  readonly name: 'ibft2' | 'qbft'
  /** The sub-protocol of RLPx that carries the messages. */
  readonly wire: { readonly name: string; readonly version: number; readonly length: number }
  /** Layout of extra data. */
  readonly codec: BftCodec
  readonly codes: Readonly<Record<BftKind, number>>
  readonly height: NumberField<bigint>
  readonly round: NumberField<number>

  /** Whether round 0 begins with the height, so that its timer covers the wait for the block period too. */
  readonly startsWithHeight: boolean
  /** Whether the proposer says that it is prepared, or its proposal means that. */
  readonly proposerPrepares: boolean
  /** Whether the round in a block must be that of the messages on it. */
  readonly bindsRound: boolean
  /** Whether a block that nobody had prepared before must name its proposer as the one who collects. */
  readonly bindsBeneficiary: boolean
  /** Whether a block in a round change is executed, or its certificate is believed. */
  readonly checksPreparedBlocks: boolean

  /** What is signed; `payload` is encoded. */
  signingDigest(code: number, payload: Uint8Array): Hash32
  encodeProposalPayload(view: BftView, block: ProposedBlock): Uint8Array
  encodeRoundChangePayload(view: BftView, certificate: Certificate | undefined): Uint8Array
  /** `signed` and `roundChanges` are signed payloads; `certificate` is that of the block's earlier round. */
  encodeProposal(
    signed: Uint8Array,
    block: ProposedBlock,
    roundChanges: readonly Uint8Array[],
    certificate: Certificate | undefined,
  ): Uint8Array
  encodeRoundChange(signed: Uint8Array, prepared: Prepared | undefined): Uint8Array
  readProposal(data: Uint8Array, reader: BftReader): ProposalMessage
  readRoundChange(data: Uint8Array, reader: BftReader): RoundChangeMessage
}
