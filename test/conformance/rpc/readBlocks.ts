import { type Block, decodeBlock } from '../../../src/types/block.ts'

/** Length of the RLP list that starts at `at`. */
function listLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first <= 0xf7) return 1 + first - 0xc0
  let length = 0
  for (let i = 1; i <= first - 0xf7; i++) length = length * 256 + bytes[at + i]!
  return 1 + first - 0xf7 + length
}

/** The blocks of a file of concatenated RLPs. */
export function* readBlocks(bytes: Uint8Array): Generator<Block> {
  for (let at = 0; at < bytes.length; ) {
    const length = listLength(bytes, at)
    yield decodeBlock(bytes.slice(at, at + length))
    at += length
  }
}
