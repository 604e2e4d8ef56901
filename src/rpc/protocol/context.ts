import type { BadBlock } from '../../chain/badBlocks.ts'
import type { LogKeeper } from '../../chain/logs/logKeeper.ts'
import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { Tally } from '../../consensus/voting/tally.ts'
import type { DevTools } from '../../dev/devTools.ts'
import type { Spill } from '../../execution/tracing/byteLog.ts'
import type { Enode } from '../../net/enode.ts'
import type { PoolFault } from '../../pool/fault.ts'
import type { PoolViews } from '../../pool/views.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { Evms } from '../../query/evms.ts'
import type { PriceOptions } from '../../query/prices.ts'
import type { RequestBudget } from '../../query/requestBudget.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'
import type { LogLevelName } from '../../system/logLevel.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import type { Header } from '../../types/header.ts'
import type { Tx } from '../../types/transaction.ts'
import type { RevertFormat } from '../calls/revertFormat.ts'
import type { Filters } from '../events/filters.ts'
import type { Session } from '../events/subscriptions.ts'
import type { PrivacyFor, PrivacyPort, PrivateLogsFor, PrivateLogsPort } from './privacyPorts.ts'

/** How the node identifies itself. */
export interface ClientPort {
  /** Name, version and platform. */
  readonly version: string
  readonly networkId: bigint
}

/** Where a service listens. */
export interface ServicePlace {
  readonly host: string
  readonly port: number
  /** Whether it speaks TLS. */
  readonly isSecure?: boolean
}

/** The services that listen, by their names in `net_services`. */
export interface ServicesPort {
  places(): ReadonlyMap<string, ServicePlace>
}

/** The peer-to-peer network. */
export interface PeersPort {
  isListening(): boolean
  count(): number
  /** Undefined until the network listens. */
  enode(): string | undefined
  /** Finds the address of a host name; absent where names in enode URLs are not enabled. */
  lookUp?(name: string): Promise<string | undefined>
  /** Whether permissioning allows connections to the node. */
  permits(enode: Enode): boolean
  /** Adds a static node; false if it is one already, undefined if it is this node. */
  add(enode: Enode): boolean | undefined
  /** Removes a static node and disconnects from it; false if it was not static. */
  remove(enode: Enode): boolean
  list(): readonly ConnectedPeer[]
  nodeInfo(): NodeInfo
}

/** The local allowlists. Their changes throw an AllowlistError. */
export interface PermissionsPort {
  /** Undefined where accounts are not restricted by a file. */
  readonly accounts: AllowlistPort | undefined
  /** Undefined where nodes are not restricted by a file. */
  readonly nodes: AllowlistPort | undefined
  readonly contracts: PermissionContracts
  /** Reads the permissions files again; if one is invalid, nothing changes. */
  reload(): Promise<void>
}

/** The contracts that decide who may send and who may connect; undefined where none does. */
export interface PermissionContracts {
  readonly accounts: Address | undefined
  readonly nodes: Address | undefined
  /** The version of the interface that the contract for nodes has. */
  readonly nodesVersion: number
}

/** An allowlist; a change applies to all entries or none. */
export interface AllowlistPort {
  list(): readonly string[]
  add(entries: readonly unknown[]): void | Promise<void>
  remove(entries: readonly unknown[]): void | Promise<void>
}

/** A connected peer. */
export interface ConnectedPeer {
  /** Version of the p2p protocol. */
  readonly version: number
  readonly clientId: string
  readonly capabilities: readonly string[]
  readonly localAddress: string
  readonly remoteAddress: string
  readonly inbound: boolean
  readonly port: number
  readonly id: Uint8Array
  readonly eth: { readonly version: number; readonly totalDifficulty: bigint; readonly head: Hash32 }
  readonly enode: string
}

/** This node as its peers see it. */
export interface NodeInfo {
  readonly enode: string
  /** Undefined while the node does not listen. */
  readonly listenAddress: string | undefined
  readonly ip: string
  readonly id: Uint8Array
  /** Undefined where discovery is disabled. */
  readonly discoveryPort: number | undefined
  readonly listenerPort: number | undefined
}

export interface SyncPort {
  /** Undefined if the node is in sync. */
  status(): SyncStatus | undefined
}

/** The server that received the call. */
export interface ServerPort {
  /** Namespaces that are enabled, upper case. */
  readonly namespaces: readonly string[]
  /** Returns the OpenRPC document of its methods. */
  describe(): object
}

/** The transaction pool. */
export interface PoolPort extends PoolViews {
  /** Adds a client's transaction; returns why the pool refuses it, or undefined. */
  submit(tx: NetworkTx): PoolFault | undefined | Promise<PoolFault | undefined>
}

/** Blocks that failed validation. */
export interface BadBlocksPort {
  /** Oldest first. */
  all(): readonly BadBlock[]
  find(hash: Hash32): BadBlock | undefined
}

/** Changes to the chain that an operator may request. A call that fails changes nothing. */
export interface ControlPort {
  /** Whether this node has signed blocks after this one together with other validators, so that it must not sign again. */
  hasSignedAfter(number: bigint): boolean
  setHead(number: bigint): void
  /** Imports a canonical block again; it becomes the head. */
  replayBlock(number: bigint): void
  /** Starts to rebuild the world state from the blocks; false if that is running already. */
  resyncState(): boolean
}

/** The index that log queries use; one call at a time may repair it. */
export type LogIndexPort = Omit<LogKeeper, 'close'>

/** The log of the node. */
export interface LoggingPort {
  /** Sets the level of all parts, or of those whose names start with one of `parts`. */
  setLevel(level: LogLevelName, parts: readonly string[] | undefined): void
}

/** Names of addresses that the operator keeps. */
export interface NamesPort {
  /** By address in lower case. */
  all(): ReadonlyMap<string, string>
}

/** The value of a metric, or several by name or label. */
export type MetricTree = number | { readonly [name: string]: MetricTree }

/** The metrics of the node. */
export interface MetricsPort {
  /** Returns all metrics by category, without prefixes. */
  tree(): MetricTree
}

/** The validators of a proof-of-authority engine, and the votes on them. */
export interface AuthorityPort {
  /** The proposer of a block; the zero address for a Clique genesis block. */
  signerOf(header: Header): Address
  /** The validators of a block. */
  validatorsOf(block: HashedHeader, chain: ChainView): readonly Address[]
  /** The validators of the block after this one, in ascending order. */
  validatorsAfter(block: HashedHeader, chain: ChainView): readonly Address[]
  /** The votes of this node; undefined while a contract, or another engine, decides on validators. */
  votes(chain: ChainView): VotesPort | undefined
  /** The votes that the chain has and that are not decided; undefined as above. */
  tally(chain: ChainView): Tally | undefined
  /** The first block after this one with which votes begin anew. */
  epochAfter(block: bigint): bigint
  /** Timeout of the first round in seconds; undefined for Clique, which has no rounds. */
  readonly requestTimeout: number | undefined
}

/** The votes that this node casts in the blocks that it makes. */
export interface VotesPort {
  propose(subject: Address, add: boolean): void
  /** Returns whether there was a vote to discard. */
  discard(subject: Address): boolean
  pending(): readonly { readonly subject: Address; readonly add: boolean }[]
}

/** Block production. */
export interface MiningPort {
  isMining(): boolean
  start(): boolean
  stop(): boolean
  coinbase(): Address | undefined
  /** Absent where the consensus engine sets the coinbase. */
  setCoinbase?(coinbase: Address): void
  minGasPrice(): bigint
  setMinGasPrice(wei: bigint): void
  minPriorityFee(): bigint
  setMinPriorityFee(wei: bigint): void
  extraData(): Uint8Array
  setExtraData(data: Uint8Array): void
  /** Returns false if the node has no target gas limit, or the new one is invalid. */
  setTargetGasLimit(gas: bigint): boolean
}

/** Transactions that nobody signed, of senders that a test impersonates. */
export interface UnsignedPort {
  isImpersonated(sender: Address): boolean
  /** Adds a transaction to the pool; what its signature says does not count. */
  send(tx: Tx, sender: Address): Promise<{ readonly hash: Hash32 } | { readonly fault: PoolFault }>
}

/** Limits of queries and the form of answers, set by the operator. */
export interface ApiLimits {
  /** Whose form the error of a reverted call has; absent stands for Besu's. */
  readonly revertFormat?: RevertFormat
  /** Maximum range of a log query in blocks; 0 means no limit. */
  readonly maxLogsRange: bigint
  /** Maximum range of `trace_filter` in blocks; 0 means no limit. */
  readonly maxTraceRange?: bigint
  /** Maximum range of a GraphQL query of blocks; absent or 0 means no limit. */
  readonly maxBlocksRange?: number
  readonly gasPrice: PriceOptions
  /** Maximum number of steps that a trace shows; absent or 0 means no limit. */
  readonly maxTraceSteps?: number
  /** Whether tracers of the caller's own may run: in readers, which are ended if one hangs. */
  readonly allowsScripts?: boolean
  /** Share by which an estimate may be above the least gas limit that works. */
  readonly estimateTolerance?: number
  /** Recent blocks whose state is kept; absent or 0 keeps all. */
  readonly historyBlocks?: bigint
  /** Recent blocks whose transactions and receipts are kept; absent or 0 keeps all. */
  readonly blockHistory?: bigint
}

/** A file for the trace of a transaction. */
export interface TraceFile {
  readonly path: string
  write(bytes: Uint8Array): void
  close(): void
}

/** The folder of traces in the data path. */
export interface TracesPort {
  /** Creates a file whose name ends with the time; throws if the name would lead out of the folder. */
  create(name: string): TraceFile
  /** Opens a temporary file for a trace that is too large for memory; it is deleted when closed. */
  openSpill(): Spill
}

/** Everything that a method can ask for. Each port is small, and a method names those that it uses. */
export interface RpcContext {
  readonly badBlocks: BadBlocksPort
  /** Gas and time of the request that the call belongs to. */
  readonly budget: RequestBudget
  /** The chain as of the last committed block when the call began. */
  readonly chain: ChainView
  readonly client: ClientPort
  readonly clique: AuthorityPort
  readonly control: ControlPort
  readonly dev: DevTools
  readonly evms: Evms
  readonly filters: Filters
  readonly ibft: AuthorityPort
  readonly limits: ApiLimits
  readonly logIndex: LogIndexPort
  readonly logging: LoggingPort
  readonly metrics: MetricsPort
  readonly mining: MiningPort
  readonly names: NamesPort
  /** Undefined where the peer-to-peer network is disabled. */
  readonly peers: PeersPort | undefined
  readonly permissions: PermissionsPort
  readonly pool: PoolPort
  readonly privacy: PrivacyPort
  readonly privateLogs: PrivateLogsPort
  readonly qbft: AuthorityPort
  readonly server: ServerPort
  readonly services: ServicesPort
  /** The WebSocket connection that received the call. */
  readonly session: Session
  readonly sync: SyncPort
  readonly traces: TracesPort
  /** Undefined where every transaction must be signed: on all networks but the development network. */
  readonly unsigned: UnsignedPort | undefined
}

/** What a node supplies to the methods; a method that needs a port which the node lacks is not enabled. */
export type RpcPorts = Partial<
  Omit<RpcContext, 'budget' | 'chain' | 'privacy' | 'privateLogs'> & {
    /** Returns the chain as of the last committed block. */
    chain(): ChainView
    /** Undefined where private transactions are disabled. */
    readonly privacy: PrivacyFor | undefined
    readonly privateLogs: PrivateLogsFor | undefined
  }
>
