import type { BadBlock } from '../../../chain/badBlocks.ts'
import { encodeBlock } from '../../../types/block.ts'
import { headerHash } from '../../../types/header.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { record } from '../../codecs/record.ts'
import { blockObject, type ShownBlock } from '../../objects/block.ts'
import { method } from '../../protocol/method.ts'

/** Maximum number of bad blocks returned, the latest ones. */
const max = 100

/** The total difficulty of a bad block is unknown: its own difficulty is returned instead. */
function shown({ hash, block }: BadBlock): ShownBlock {
  const { header, ommers } = block
  return { header, hash, block, totalDifficulty: header.difficulty, ommerHashes: ommers.map(headerHash), full: true }
}

const badBlockObject = record<BadBlock>('bad block', (member) => [
  member('block', blockObject, shown),
  member('hash', hash, (bad) => bad.hash),
  member('rlp', data, ({ block }) => encodeBlock(block)),
])

export const debug_getBadBlocks = method({
  name: 'debug_getBadBlocks',
  doc: 'Returns the latest invalid blocks with their transactions, at most 100.',
  needs: ['badBlocks'],
  params: [],
  result: listEncoder(badBlockObject),
  handler: ({ badBlocks }) => badBlocks.all().slice(-max),
})
