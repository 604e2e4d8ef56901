import type { ChainView } from '../chain/view.ts'
import type { PoolEntry } from '../pool/entry.ts'
import type { PoolFault } from '../pool/fault.ts'
import type { PoolStatistics } from '../pool/views.ts'
import type { Address } from '../primitives/bytes.ts'
import type { PriceOptions } from '../query/prices.ts'
import type { TrialEvm } from '../query/trialEvm.ts'
import type { SyncStatus } from '../sync/syncStatus.ts'
import type { NetworkTx } from '../types/blobSidecar.ts'
import type { Header } from '../types/header.ts'

/** What queries need of the pool, which may be in another thread. */
export interface QueryPool {
  entries(): Iterable<WaitingTx> | Promise<Iterable<WaitingTx>>
  statistics(): PoolCounts | Promise<PoolCounts>
  /** Adds a client's transaction; returns why the pool refuses it, or undefined. */
  submit(tx: NetworkTx): PoolFault | undefined | Promise<PoolFault | undefined>
}

type WaitingTx = Pick<PoolEntry, 'tx'>
type PoolCounts = Pick<PoolStatistics, 'localCount' | 'remoteCount'>

/** What queries need from the node. */
export interface GraphqlPorts {
  /** Returns the chain as of the last committed block; called once per request. */
  chain(): ChainView
  /** Tries calls out. */
  readonly evm: TrialEvm
  /** The account that gets the fees of a block, if it is not the header's coinbase. */
  readonly beneficiaryOf?: ((header: Header) => Address | undefined) | undefined
  readonly pool: QueryPool
  readonly prices: PriceOptions
  /** Maximum distance between the first and the last block of a query; 0 or absent sets no limit. */
  readonly maxBlocksRange?: number
  /** The minimum gas price of this node. */
  minGasPrice(): bigint | Promise<bigint>
  /** Undefined if the node is in sync. */
  syncStatus(): SyncStatus | undefined | Promise<SyncStatus | undefined>
}
