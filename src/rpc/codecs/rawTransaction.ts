import { decodeRawTx } from '../../query/decodeRawTx.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import { invalidParams } from '../protocol/fault.ts'
import { data } from './bytes.ts'
import type { Decoder } from './codec.ts'

/** A signed transaction; a typed one may be wrapped in an RLP byte string. */
export const rawTransaction: Decoder<NetworkTx> = {
  schema: data.schema,
  decode(json) {
    const bytes = data.decode(json)
    if (bytes.length === 0) throw invalidParams('the transaction is empty')
    const network = decodeRawTx(bytes)
    if (!network) throw invalidParams()
    return network
  },
}
