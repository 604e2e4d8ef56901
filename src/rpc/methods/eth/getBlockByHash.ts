import { showBlock } from '../../blocks/showBlock.ts'
import { boolean } from '../../codecs/boolean.ts'
import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockObject } from '../../objects/block.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getBlockByHash = method({
  name: 'eth_getBlockByHash',
  doc: 'Returns a block by hash, canonical or not; null if it is unknown.',
  needs: ['chain'],
  params: [param('hash', hash), param('verbose', boolean)],
  result: nullable(blockObject),
  example: [`0x${'ab'.repeat(32)}`, false],
  handler: ({ chain }, [blockHash, verbose]) => showBlock(chain, blockHash, verbose),
})
