import { PoolError, type PoolFault } from '../../pool/fault.ts'
import { decodeRawTx } from '../../query/decodeRawTx.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { Fields } from '../context.ts'
import { QueryError } from '../fault.ts'

export const mutationFields: Fields<undefined> = {
  sendRawTransaction(_, { data }: { data: Uint8Array }, { ports }) {
    const network = decodeRawTx(data)
    if (!network) throw new QueryError({ code: 'INVALID_PARAMS' })
    const hashOrFault = (fault: PoolFault | undefined) => {
      if (fault) throw new PoolError(fault)
      return txHash(network.tx)
    }
    const answer = ports.pool.submit(network)
    return answer instanceof Promise ? answer.then(hashOrFault) : hashOrFault(answer)
  },
}
