import { PoolError } from '../../../pool/fault.ts'
import { txHash } from '../../../types/encodeTx.ts'
import { hash } from '../../codecs/bytes.ts'
import { rawTransaction } from '../../codecs/rawTransaction.ts'
import { method, param } from '../../protocol/method.ts'
import { signedExample } from '../../protocol/signedExample.ts'

export const eth_sendRawTransaction = method({
  name: 'eth_sendRawTransaction',
  doc: 'Gives a signed transaction to the pool; its hash.',
  needs: ['pool'],
  params: [param('transaction', rawTransaction)],
  exact: true,
  together: true,
  result: hash,
  // The first transaction of the first development account.
  example: [signedExample],
  errors: [
    [
      -32000,
      'Known, underpriced as a replacement, of a wrong chain, too far ahead, too dear, or too many wait already.',
    ],
    [-32001, 'The nonce is used already.'],
    [-32002, 'The signature is not valid.'],
    [-32003, 'The gas limit is less than the transaction costs before it runs.'],
    [-32004, 'The sender cannot pay.'],
    [-32005, 'The gas limit is above that of a block.'],
    [-32007, 'The sender may not send transactions.'],
    [-32009, 'The price is below the least that this node takes.'],
  ],
  handler({ pool }, [network]) {
    const hashOrFault = (fault: Awaited<ReturnType<typeof pool.submit>>) => {
      if (fault) throw new PoolError(fault)
      return txHash(network.tx)
    }
    const answer = pool.submit(network)
    return answer instanceof Promise ? answer.then(hashOrFault) : hashOrFault(answer)
  },
})
