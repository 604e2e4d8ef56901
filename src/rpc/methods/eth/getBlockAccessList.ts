import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { nothing } from '../../codecs/nullable.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu 23.10. Tools that ask learn that the chain has no such lists, as from Besu 26 before Amsterdam. */
export const eth_getBlockAccessList = method({
  name: 'eth_getBlockAccessList',
  doc: 'Returns null for a block that is unknown. Blocks have no access lists (EIP-7928) before Amsterdam, which no network of Quoin has yet.',
  needs: ['chain'],
  params: [param('block', blockRef)],
  result: nothing,
  errors: [...tagErrors, [-32001, 'The block has no access list.']],
  example: ['latest'],
  handler({ chain }, [block]) {
    const header = 'hash' in block ? chain.headerBy(block.hash) : findHeader(chain, block)
    if (header) throw new RpcError({ code: 'NO_ACCESS_LIST' })
    return undefined
  },
})
