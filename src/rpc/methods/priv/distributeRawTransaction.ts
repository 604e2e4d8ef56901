import { privateMethod } from '../../calls/privateMethod.ts'
import { data } from '../../codecs/bytes.ts'
import { rawPrivateTransaction, rawTransactionExample } from '../../codecs/rawPrivateTransaction.ts'
import { param } from '../../protocol/method.ts'

export const priv_distributeRawTransaction = privateMethod({
  name: 'priv_distributeRawTransaction',
  doc: 'Distributes a signed private transaction and returns its key, which a marker that the client signs has to carry.',
  needs: [],
  params: [param('transaction', rawPrivateTransaction)],
  fixedCount: true,
  result: data,
  errors: [[-50200, 'The private transaction manager refused the transaction.']],
  example: [rawTransactionExample],
  handler: ({ privacy }, [read]) => privacy.distribute(read()),
})
