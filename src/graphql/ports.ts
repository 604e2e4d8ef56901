import type { ChainView } from '../chain/view.ts'
import type { Evm } from '../evm/evm.ts'
import type { PoolFault } from '../pool/fault.ts'
import type { PoolViews } from '../pool/views.ts'
import type { Address } from '../primitives/bytes.ts'
import type { PriceOptions } from '../query/prices.ts'
import type { SyncStatus } from '../sync/syncStatus.ts'
import type { NetworkTx } from '../types/blobSidecar.ts'
import type { Header } from '../types/header.ts'

/** What queries need from the node. */
export interface GraphqlPorts {
  /** The chain as of the last committed block; each request takes it once. */
  chain(): ChainView
  /** Tries calls out; used by one at a time. */
  readonly evm: Evm
  /** Who collects the fees of a block, where it is not the header's own field. */
  readonly beneficiaryOf?: ((header: Header) => Address | undefined) | undefined
  readonly pool: Pick<PoolViews, 'entries' | 'statistics'> & {
    /** Takes a user's transaction in, or says why not. */
    submit(tx: NetworkTx): PoolFault | undefined | Promise<PoolFault | undefined>
  }
  readonly prices: PriceOptions
  /** The least price that this node takes. */
  minGasPrice(): bigint
  /** Undefined when the node is in sync. */
  syncStatus(): SyncStatus | undefined
}
