import type { ChainView, HashedHeader } from '../../src/chain/view.ts'
import type { Hash32 } from '../../src/primitives/bytes.ts'
import { encodeHeader } from '../../src/types/header.ts'

/** A chain of which only headers can be read: all that the engines ask for. */
export function headersOnly(
  blockOf: (hash: Hash32) => HashedHeader | undefined,
): Pick<ChainView, 'parentOf' | 'encodedHeader' | 'engineRecord'> {
  return {
    engineRecord: () => undefined,
    parentOf: ({ parentHash }) => blockOf(parentHash),
    encodedHeader(hash) {
      const block = blockOf(hash)
      return block && encodeHeader(block.header)
    },
  }
}
