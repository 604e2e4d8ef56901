import type { BftCodec } from '../consensus/bft/extraData.ts'
import { ibft2Codec } from '../consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../consensus/qbft/qbftCodec.ts'

/** Besu's names for the two layouts of a BFT header's extra data. */
export const extraDataTypes = ['IBFT_EXTRA_DATA', 'QBFT_EXTRA_DATA'] as const
export type ExtraDataType = (typeof extraDataTypes)[number]

export const extraDataCodecs: Readonly<Record<ExtraDataType, BftCodec>> = {
  IBFT_EXTRA_DATA: ibft2Codec,
  QBFT_EXTRA_DATA: qbftCodec,
}
