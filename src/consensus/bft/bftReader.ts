import { type Address, concatBytes, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { KnownTx } from '../../types/block.ts'
import { MessageError } from './fault.ts'
import type { BftCrypto } from './machine.ts'
import type { BftReader } from './messages.ts'
import { type ProposedBlock, readProposedBlock } from './proposedBlock.ts'
import type { BftProtocol } from './protocol.ts'

/** Signatures remembered: in a round change every validator sends the same prepares and the same block. */
const keptAuthors = 2048
const keptBlocks = 2

/** Decodes each block and recovers each signature only once, however many messages contain them. */
export function createBftReader(
  { codec }: BftProtocol,
  crypto: Pick<BftCrypto, 'recover'>,
  knownTx?: KnownTx,
): BftReader {
  const authors = createRecentMap<string, Address>(keptAuthors)
  const blocks = createRecentMap<string, ProposedBlock>(keptBlocks)
  return {
    author(digest, signature) {
      const key = keyOf(concatBytes(digest, signature))
      const known = authors.use(key)
      if (known) return known
      const author = crypto.recover(digest, signature)
      if (!author) throw new MessageError({ code: 'SIGNATURE_INVALID' })
      authors.set(key, author)
      return author
    },
    maxListed: Number.POSITIVE_INFINITY,
    block(bytes) {
      const key = keyOf(keccak256(bytes))
      const known = blocks.use(key)
      if (known) return known
      const block = readProposedBlock(codec, bytes, knownTx)
      blocks.set(key, block)
      return block
    },
  }
}
