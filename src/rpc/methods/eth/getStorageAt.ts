import { padLeft } from '../../../primitives/bytes.ts'
import { findState } from '../../../query/findState.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, data, slotKey } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getStorageAt = method({
  name: 'eth_getStorageAt',
  doc: 'Returns a storage slot of an account at a block, as 32 bytes; null if the state of the block is not available.',
  needs: ['chain'],
  params: [param('address', address), param('slot', slotKey), param('block', blockRef)],
  result: nullable(data),
  errors: blockErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '0x0', 'latest'],
  handler({ chain }, [owner, slot, block]) {
    const state = findState(chain, requireHeader(chain, block))
    return state && padLeft(state.storage(owner, slot), 32)
  },
})
