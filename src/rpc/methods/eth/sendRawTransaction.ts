import { PoolError } from '../../../pool/fault.ts'
import { andThen } from '../../../primitives/andThen.ts'
import { txHash } from '../../../types/encodeTx.ts'
import { hash } from '../../codecs/bytes.ts'
import { rawTransaction } from '../../codecs/rawTransaction.ts'
import { poolErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'
import { signedExample } from '../../protocol/signedExample.ts'

export const eth_sendRawTransaction = method({
  name: 'eth_sendRawTransaction',
  doc: 'Adds a signed transaction to the pool and returns its hash.',
  needs: ['pool'],
  params: [param('transaction', rawTransaction)],
  fixedCount: true,
  together: true,
  result: hash,
  // The first transaction of the first DEV account.
  example: [signedExample],
  errors: poolErrors,
  handler({ pool }, [network]) {
    return andThen(pool.submit(network), (fault) => {
      if (fault) throw new PoolError(fault)
      return txHash(network.tx)
    })
  },
})
