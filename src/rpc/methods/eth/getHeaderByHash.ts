import { showHeader } from '../../blocks/showHeader.ts'
import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { headerObject } from '../../objects/header.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu 23.10; as in geth, Erigon and Reth. */
export const eth_getHeaderByHash = method({
  name: 'eth_getHeaderByHash',
  doc: 'Returns the header of a block by hash, canonical or not; null if it is unknown.',
  needs: ['chain'],
  params: [param('hash', hash)],
  result: nullable(headerObject),
  example: [`0x${'ab'.repeat(32)}`],
  handler({ chain }, [blockHash]) {
    const found = chain.headerBy(blockHash)
    return found && showHeader(chain, found)
  },
})
