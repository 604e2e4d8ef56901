import { showOmmer } from '../../blocks/showBlock.ts'
import { hash } from '../../codecs/bytes.ts'
import { index } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockObject } from '../../objects/block.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getUncleByBlockHashAndIndex = method({
  name: 'eth_getUncleByBlockHashAndIndex',
  doc: 'Returns an uncle by block hash and index; null if there is none.',
  needs: ['chain'],
  params: [param('hash', hash), param('index', index)],
  result: nullable(blockObject),
  example: [`0x${'ab'.repeat(32)}`, '0x0'],
  handler({ chain }, [blockHash, at]) {
    const body = chain.body(blockHash)
    const ommer = body?.ommers[at]
    return ommer && showOmmer(ommer)
  },
})
