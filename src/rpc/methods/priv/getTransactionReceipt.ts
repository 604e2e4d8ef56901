import { emptyBytes } from '../../../primitives/bytes.ts'
import type { PrivateReceipt } from '../../../privacy/execution/privateReceipts.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { privateReceiptObject } from '../../objects/privateReceipt.ts'
import { param } from '../../protocol/method.ts'

/** What Besu says of a transaction that its group's members did not execute. */
const ignored: PrivateReceipt = { status: 0, logs: [], output: emptyBytes, revertReason: undefined }

export const priv_getTransactionReceipt = privateMethod({
  name: 'priv_getTransactionReceipt',
  doc: 'Returns the receipt of a private transaction by the hash of its marker; null if there is none, or this node does not take part.',
  needs: ['chain'],
  params: [param('hash', hash)],
  result: nullable(privateReceiptObject),
  errors: [[-32000, 'The private state is behind the block of the marker.']],
  example: ['0x0f0aa87e6d5cbf0e3a5a1e9a2ea4ea1a6a49b1dc7e6dc2c6b4d4e1ce6c0a2f11'],
  async handler({ chain, privacy }, [marker]) {
    const found = await privacy.find(chain, marker)
    if (!found) return undefined
    await privacy.reach(found.group, BigInt(found.at.number))
    return { ...found, receipt: privacy.receiptOf(found) ?? ignored }
  },
})
