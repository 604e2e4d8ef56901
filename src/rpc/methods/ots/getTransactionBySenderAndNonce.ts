import { equalBytes } from '../../../primitives/bytes.ts'
import { txHash } from '../../../types/encodeTx.ts'
import { senderOf } from '../../../types/signTx.ts'
import { firstBlockWith } from '../../blocks/firstBlock.ts'
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
    const number = firstBlockWith(chain, (state) => (state.account(sender)?.nonce ?? 0n) > nonce)
    const found = number === undefined ? undefined : chain.blockAt(number)
    const tx = found?.block.transactions.find((one) => one.nonce === nonce && equalBytes(senderOf(one)!, sender))
    return tx && txHash(tx)
  },
})
