import { PoolError } from '../../../pool/fault.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { hash } from '../../codecs/bytes.ts'
import { rawPrivateTransaction, rawTransactionExample } from '../../codecs/rawPrivateTransaction.ts'
import { RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

/** The gas of a private transaction pays for its marker. */
const markerGas =
  'Privacy Marker Transaction failed due to intrinsic gas exceeding the limit. Gas limit used from the Private Transaction.'

export const eea_sendRawTransaction = privateMethod({
  name: 'eea_sendRawTransaction',
  doc: 'Distributes a signed private transaction, adds its marker to the pool and returns the hash of the marker.',
  needs: [],
  params: [param('transaction', rawPrivateTransaction)],
  fixedCount: true,
  result: hash,
  errors: [
    [-50200, 'The private transaction manager refused the transaction.'],
    [-32001, 'The private nonce is too low.'],
  ],
  example: [rawTransactionExample],
  async handler({ privacy }, [read]) {
    const sent = await privacy.send(read())
    if ('hash' in sent) return sent.hash
    if (sent.fault.code !== 'INTRINSIC_GAS_EXCEEDS_GAS_LIMIT') throw new PoolError(sent.fault)
    throw new RpcError({ code: 'TX_REFUSED', error: { code: -50100, message: markerGas } })
  },
})
