import type { ChainView } from '../chain/view.ts'
import type { Engine } from '../evm/engine.ts'
import type { PoolFault } from '../pool/fault.ts'
import type { PoolViews } from '../pool/views.ts'
import type { Address } from '../primitives/bytes.ts'
import type { NetworkTx } from '../types/blobSidecar.ts'
import type { Filters } from './filters.ts'
import type { Session } from './subscriptions.ts'

/** What the node tells about itself. */
export interface ClientPort {
  /** Name, version and platform. */
  readonly version: string
  readonly networkId: bigint
}

/** An address that a service listens at. */
export interface ServicePlace {
  readonly host: string
  readonly port: number
}

/** The services of the node that are up, by the names that `net_services` gives them. */
export interface ServicesPort {
  places(): ReadonlyMap<string, ServicePlace>
}

/** The peer-to-peer network. */
export interface PeersPort {
  isListening(): boolean
  count(): number
  /** Undefined until the network is up. */
  enode(): string | undefined
}

/** How far a node that catches up with its network has come. */
export interface SyncStatus {
  readonly startingBlock: bigint
  readonly currentBlock: bigint
  readonly highestBlock: bigint
}

export interface SyncPort {
  /** Undefined when the node is in sync. */
  status(): SyncStatus | undefined
}

/** The server that a call came in through. */
export interface ServerPort {
  /** Namespaces that it serves, upper case. */
  readonly namespaces: readonly string[]
  /** The OpenRPC document of what it serves. */
  describe(): object
}

/** The pool: its contents, and the way in. */
export interface PoolPort extends PoolViews {
  /** Takes a user's transaction in, or says why not. */
  submit(tx: NetworkTx): PoolFault | undefined | Promise<PoolFault | undefined>
}

/**
 * Interpreters for trying things out: the fast one, and one that tells of each step. Used by one call at a time, which
 * puts them on a state by `standOn`.
 */
export interface EvmPort {
  readonly fast: Engine
  readonly trace: Engine
}

/** The making of blocks. */
export interface MiningPort {
  isMining(): boolean
  start(): boolean
  stop(): boolean
  coinbase(): Address | undefined
  /** Absent where the engine decides who is paid. */
  setCoinbase?(coinbase: Address): void
  minGasPrice(): bigint
  setMinGasPrice(wei: bigint): void
  minPriorityFee(): bigint
  setMinPriorityFee(wei: bigint): void
  /** False where the node does not steer towards a gas limit, or not towards this one. */
  setTargetGasLimit(gas: bigint): boolean
}

/** Bounds that the operator sets. */
export interface ApiLimits {
  /** Blocks between the first and the last of a log query; 0 sets no limit. */
  readonly maxLogsRange: bigint
  readonly gasPrice: { readonly blocks: number; readonly percentile: number; readonly max: bigint }
}

/**
 * Everything that methods can ask for. Each port is small, and a method names those that it uses. A node supplies those
 * that it has: a method that needs another one is not enabled there.
 */
export interface RpcContext {
  /** The chain as of the last committed block: taken anew for each call. */
  readonly chain: ChainView
  readonly client: ClientPort
  readonly evm: EvmPort
  readonly filters: Filters
  readonly limits: ApiLimits
  readonly mining: MiningPort
  /** Undefined where the network is off. */
  readonly peers: PeersPort | undefined
  readonly pool: PoolPort
  readonly server: ServerPort
  readonly services: ServicesPort
  /** The WebSocket connection that a call came in through. */
  readonly session: Session
  readonly sync: SyncPort
}
