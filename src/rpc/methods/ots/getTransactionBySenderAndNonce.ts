import { txHash } from '../../../types/encodeTx.ts'
import { minedBySender } from '../../blocks/minedBySender.ts'
import { address, hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { quantity } from '../../codecs/quantity.ts'
import { stateErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const ots_getTransactionBySenderAndNonce = method({
  name: 'ots_getTransactionBySenderAndNonce',
  doc: 'Returns the hash of the mined transaction that an account sent with a nonce; null if there is none.',
  needs: ['chain'],
  params: [param('sender', address), param('nonce', quantity)],
  result: nullable(hash),
  errors: stateErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 0],
  handler({ chain }, [sender, nonce]) {
    const found = minedBySender(chain, sender, nonce)
    return found && txHash(found.tx)
  },
})
