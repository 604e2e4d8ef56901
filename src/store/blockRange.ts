import { blockNumberLength, type Codec, readBlockNumber, writeBlockNumber } from './codec.ts'

/** The blocks that an index has, both included; none while `last` is `first` - 1. */
export interface BlockRange {
  readonly first: number
  readonly last: number
}

export const blockRangeCodec: Codec<BlockRange> = {
  encode({ first, last }) {
    const out = new Uint8Array(2 * blockNumberLength)
    writeBlockNumber(out, 0, first)
    // One more, because an index without blocks may begin at the genesis block.
    writeBlockNumber(out, blockNumberLength, last + 1)
    return out
  },
  decode: (bytes) => ({ first: readBlockNumber(bytes, 0), last: readBlockNumber(bytes, blockNumberLength) - 1 }),
}
