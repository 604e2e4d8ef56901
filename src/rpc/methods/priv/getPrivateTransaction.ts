import { privateMethod } from '../../calls/privateMethod.ts'
import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { privateTransactionObject } from '../../objects/privateTransaction.ts'
import { param } from '../../protocol/method.ts'

export const priv_getPrivateTransaction = privateMethod({
  name: 'priv_getPrivateTransaction',
  doc: 'Returns the private transaction of a mined marker; null if there is none, or this node does not take part.',
  needs: ['chain'],
  params: [param('hash', hash)],
  result: nullable(privateTransactionObject),
  example: ['0x0f0aa87e6d5cbf0e3a5a1e9a2ea4ea1a6a49b1dc7e6dc2c6b4d4e1ce6c0a2f11'],
  handler: ({ chain, privacy }, [marker]) => privacy.find(chain, marker),
})
