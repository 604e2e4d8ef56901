import type { ChainView } from '../../chain/view.ts'
import { emptyBytes, type Hash32 } from '../../primitives/bytes.ts'
import { encodeTx } from '../../types/encodeTx.ts'

/** The bytes of a mined transaction; none if there is no such block or transaction, where geth does not return null. */
export function rawTransactionAt(
  chain: Pick<ChainView, 'transactionAt'>,
  block: Hash32 | undefined,
  index: number,
): Uint8Array {
  const tx = block && chain.transactionAt(block, index)
  return tx ? encodeTx(tx) : emptyBytes
}
