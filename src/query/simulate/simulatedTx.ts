import type { Hash32 } from '../../primitives/bytes.ts'
import { noAccessList, type Tx } from '../../types/transaction.ts'
import type { Call } from '../call.ts'

const unsigned = { yParity: 0, r: 0n, s: 0n }

/** The unsigned transaction that a call is shown as: by default of the newest type that needs nothing special. */
export function simulatedTx(call: Call, nonce: bigint, gasLimit: bigint, chainId: bigint, feeMarket: boolean): Tx {
  const { to, value, data, gasPrice, maxFee = 0n, maxPriorityFee = 0n, accessList = noAccessList } = call
  const common = { to, value, data, nonce: call.nonce ?? nonce, gasLimit, ...unsigned }
  if (gasPrice !== undefined) return { ...common, type: 0, gasPrice, v: 0n }
  const typed = { ...common, chainId, accessList }
  if (!feeMarket) return { ...typed, type: 1, gasPrice: 0n }
  const bids = { ...typed, maxFee, maxPriorityFee }
  if (call.authorizations) return { ...bids, type: 4, authorizations: call.authorizations }
  if (call.blobHashes)
    return { ...bids, type: 3, blobHashes: call.blobHashes as readonly Hash32[], maxBlobFee: call.maxBlobFee ?? 0n }
  return { ...bids, type: 2 }
}
