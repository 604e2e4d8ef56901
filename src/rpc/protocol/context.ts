import type { BadBlock } from '../../chain/badBlocks.ts'
import type { LogKeeper } from '../../chain/logs/logKeeper.ts'
import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import type { Spill } from '../../execution/tracing/byteLog.ts'
import type { Enode } from '../../net/enode.ts'
import type { PoolFault } from '../../pool/fault.ts'
import type { PoolViews } from '../../pool/views.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { LogLevelName } from '../../primitives/logLevel.ts'
import type { PriceOptions } from '../../query/prices.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import type { Header } from '../../types/header.ts'
import type { Filters } from '../events/filters.ts'
import type { Session } from '../events/subscriptions.ts'

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
  /** Stays connected with a node from now on; false when it did already, undefined when that is this node itself. */
  add(enode: Enode): boolean | undefined
  /** Ends that and disconnects; false when the node was not one to stay connected with. */
  remove(enode: Enode): boolean
  list(): readonly ConnectedPeer[]
  nodeInfo(): NodeInfo
}

/** A peer and what it has told of itself. */
export interface ConnectedPeer {
  /** Version of the p2p protocol. */
  readonly version: number
  readonly clientId: string
  readonly capabilities: readonly string[]
  readonly localAddress: string
  readonly remoteAddress: string
  readonly port: number
  readonly id: Uint8Array
  readonly eth: { readonly version: number; readonly totalDifficulty: bigint; readonly head: Hash32 }
  readonly enode: string
}

/** This node as other nodes see it. */
export interface NodeInfo {
  readonly enode: string
  /** Undefined while the node does not listen. */
  readonly listenAddress: string | undefined
  readonly ip: string
  readonly id: Uint8Array
  /** Undefined where discovery is off. */
  readonly discoveryPort: number | undefined
  readonly listenerPort: number | undefined
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
  readonly fast: Evm
  readonly trace: Evm
  /** Who collects the fees of a block, where it is not the header's own field. */
  beneficiaryOf?(header: Header): Address | undefined
  /** What a block pays by itself, where the consensus engine sets it and not the fork. */
  rewardOf?(header: Header): bigint | undefined
}

/** Blocks that were refused. */
export interface BadBlocksPort {
  /** Oldest first. */
  all(): readonly BadBlock[]
  find(hash: Hash32): BadBlock | undefined
}

/** What an operator may have the chain do. Each call happens wholly or not at all. */
export interface ControlPort {
  setHead(number: bigint): void
  /** Imports a canonical block again, which becomes the head. */
  replayBlock(number: bigint): void
  /** Starts to rebuild the state from the blocks; false while that is under way. */
  resyncState(): boolean
}

/** The index by which logs are found; it is worked on by one call at a time. */
export type LogIndexPort = Omit<LogKeeper, 'close'>

/** The log of the program. */
export interface LoggingPort {
  /** Sets the level of all parts, or of those whose names start with one of `parts`. */
  setLevel(level: LogLevelName, parts: readonly string[] | undefined): void
}

/** A value of the program, or several under the values of a label. */
export type MetricTree = number | { readonly [name: string]: MetricTree }

/** What the program measures of itself. */
export interface MetricsPort {
  /** By category, without prefixes. */
  tree(): MetricTree
}

/** Who makes the blocks of an engine, and who is to. */
export interface AuthorityPort {
  /** Who made a block; the zero address of a Clique genesis. */
  signerOf(header: Header): Address
  /** Who was entitled to make a block. */
  validatorsOf(block: HashedHeader, chain: ChainView): readonly Address[]
  /** Who may make the block after this one, in ascending order. */
  validatorsAfter(block: HashedHeader, chain: ChainView): readonly Address[]
  /** What the operator wants of accounts; undefined while a contract, or another engine, decides. */
  votes(chain: ChainView): VotesPort | undefined
  /** Seconds that the first round of a height may take; undefined where there are no rounds. */
  readonly requestTimeout: number | undefined
}

/** The votes that this node casts in the blocks which it makes. */
export interface VotesPort {
  propose(subject: Address, add: boolean): void
  /** Whether there was something to discard. */
  discard(subject: Address): boolean
  pending(): readonly { readonly subject: Address; readonly add: boolean }[]
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
  /** The same of a `trace_filter`. */
  readonly maxTraceRange?: bigint
  readonly gasPrice: PriceOptions
}

/** A file with the trace of a transaction, written front to back. */
export interface TraceFile {
  readonly path: string
  write(bytes: Uint8Array): void
  close(): void
}

/** The folder of traces in the node's data folder. */
export interface TracesPort {
  /** A new file there, whose name ends with the time; a name that leads elsewhere is an error. */
  create(name: string): TraceFile
  /** Room for a trace that is too large for memory; gone when it is closed. */
  openSpill(): Spill
}

/** Everything that a method can ask for. Each port is small, and a method names those that it uses. */
export interface RpcContext {
  readonly badBlocks: BadBlocksPort
  /** The chain as of the last committed block when the call began. */
  readonly chain: ChainView
  readonly client: ClientPort
  readonly clique: AuthorityPort
  readonly control: ControlPort
  readonly evm: EvmPort
  readonly filters: Filters
  readonly ibft: AuthorityPort
  readonly limits: ApiLimits
  readonly logIndex: LogIndexPort
  readonly logging: LoggingPort
  readonly metrics: MetricsPort
  readonly mining: MiningPort
  /** Undefined where the network is off. */
  readonly peers: PeersPort | undefined
  readonly pool: PoolPort
  readonly qbft: AuthorityPort
  readonly server: ServerPort
  readonly services: ServicesPort
  /** The WebSocket connection that a call came in through. */
  readonly session: Session
  readonly sync: SyncPort
  readonly traces: TracesPort
}

/** What a node supplies to the methods; a method that needs a port which the node lacks is not enabled. */
export type RpcPorts = Partial<
  Omit<RpcContext, 'chain'> & {
    /** Returns the chain as of the last committed block. */
    chain(): ChainView
  }
>
