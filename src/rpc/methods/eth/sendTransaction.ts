import { PoolError } from '../../../pool/fault.ts'
import { unsignedTxOf } from '../../calls/unsignedTx.ts'
import { hash } from '../../codecs/bytes.ts'
import { callObject, lazyDecoder } from '../../codecs/callObject.ts'
import { poolErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, optionalParam } from '../../protocol/method.ts'

export const eth_sendTransaction = method({
  name: 'eth_sendTransaction',
  doc:
    'Always returns an error, because the node does not manage accounts: use eth_sendRawTransaction. On the DEV network it ' +
    'sends transactions of accounts that hardhat_impersonateAccount names.',
  needs: ['chain', 'pool', 'unsigned'],
  params: [optionalParam('transaction', lazyDecoder(callObject))],
  result: hash,
  errors: [[-32604, 'Not supported.'], ...poolErrors],
  async handler({ chain, pool, unsigned }, [transaction]) {
    const call = unsigned && transaction?.()
    const from = call?.from
    if (!unsigned || !from || !unsigned.isImpersonated(from))
      throw new RpcError({ code: 'SEND_TRANSACTION_UNSUPPORTED' })
    const sent = await unsigned.send(unsignedTxOf(call, from, chain, pool), from)
    if ('fault' in sent) throw new PoolError(sent.fault)
    return sent.hash
  },
})
