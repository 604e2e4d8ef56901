import { PoolError } from '../../pool/fault.ts'
import { andThen } from '../../primitives/andThen.ts'
import { decodeRawTx } from '../../query/decodeRawTx.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { Fields } from '../context.ts'
import { QueryError } from '../fault.ts'

export const mutationFields: Fields<undefined> = {
  sendRawTransaction(_, { data }: { data: Uint8Array }, { ports }) {
    const network = decodeRawTx(data)
    if (!network) throw new QueryError({ code: 'INVALID_PARAMS' })
    return andThen(ports.pool.submit(network), (fault) => {
      if (fault) throw new PoolError(fault)
      return txHash(network.tx)
    })
  },
}
