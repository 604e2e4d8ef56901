import type { Config } from '../../config/options.ts'
import type { Params } from '../../jsonrpc/readCall.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import type { PoolFault } from '../../pool/fault.ts'
import type { PoolStatistics } from '../../pool/views.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { PrivateLogs } from '../../privacy/execution/privateLogs.ts'
import type { GroupKind } from '../../privacy/sending/markers.ts'
import type { BlockOverrides } from '../../query/blockOverrides.ts'
import type { ReaderCounts, ReaderLoss } from '../../readers/createReaders.ts'
import type { Outcome } from '../../rpc/protocol/chainCalls.ts'
import type { ServicePlace } from '../../rpc/protocol/context.ts'
import type { RpcFault } from '../../rpc/protocol/fault.ts'
import type { Requester } from '../../rpc/protocol/requester.ts'
import type { HealthPort } from '../../rpc/server/health.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import type { ServerFault } from '../fault.ts'
import type { ReaderSettings } from '../readers/readerSettings.ts'

// What the thread of the servers and that of the chain say to each other. Messages arrive in the order in which they were sent: after an
// answer the servers know of all heads and transactions that were there when it was made, so that clients see what they have done.

/** Who asks, without what cannot be sent: whether a method may be called is decided before. */
export type Asker = Pick<Requester, 'isAuthenticated' | 'privacyPublicKey'>

/** What servers ask the thread of the chain, each question with its answer. */
export interface ChainSide {
  call(name: string, params: Params, asker: Asker): Outcome | Promise<Outcome>
  peerCount: HealthPort['peerCount']
  blocksBehind: HealthPort['blocksBehind']
  state: HealthPort['state']
  entries(): readonly Pick<PoolEntry, 'tx'>[]
  statistics(): PoolStatistics
  submit(tx: NetworkTx): PoolFault | undefined | Promise<PoolFault | undefined>
  minGasPrice(): bigint
  syncStatus(): SyncStatus | undefined
  /** Whether who asks may see the logs of a privacy group. */
  maySee(group: Uint8Array, asker: Asker): boolean | Promise<boolean>
}

/** The same, from another thread. */
export type RemoteChain = {
  readonly [K in keyof ChainSide]: (...args: Parameters<ChainSide[K]>) => Promise<Awaited<ReturnType<ChainSide[K]>>>
}

/** Events that cost more to send: they are sent only while somebody listens. */
export interface Wanted {
  readonly entries: boolean
  readonly dropped: boolean
  readonly privateLogs: boolean
}

/** What the thread is started with; plain values. */
export interface ServingStart {
  readonly config: Config
  readonly settings: ReaderSettings
  /** Name, version and platform. */
  readonly version: string
  readonly networkId: bigint
  /** Methods that the thread of the chain can run. */
  readonly served: readonly string[]
  /** Undefined where private transactions are disabled. */
  readonly privacy: GroupKind | undefined
  readonly nextBlock: BlockOverrides | undefined
}

/** A block by which the head has changed. */
export interface ChangedBlock {
  readonly number: bigint
  readonly hash: Hash32
}

export type ToServers =
  | { readonly kind: 'start'; readonly start: ServingStart }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: RpcFault }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  | {
      readonly kind: 'head'
      readonly head: ChangedBlock
      readonly added: ChangedBlock[]
      readonly removed: ChangedBlock[]
    }
  | { readonly kind: 'pending'; readonly hash: Hash32 }
  | { readonly kind: 'entry'; readonly entry: PoolEntry }
  | { readonly kind: 'dropped'; readonly hash: Hash32 }
  | { readonly kind: 'sync'; readonly status: SyncStatus | undefined }
  | { readonly kind: 'privateLogs'; readonly logs: PrivateLogs }
  /** What users of the development network have set for the next block. */
  | { readonly kind: 'nextBlock'; readonly nextBlock: BlockOverrides }
  /** The file is to be closed until it is needed again: too much of it lies in memory. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'stop' }

export type FromServers =
  | { readonly kind: 'ask'; readonly id: number; readonly what: keyof ChainSide; readonly args: readonly unknown[] }
  | { readonly kind: 'want'; readonly wanted: Wanted }
  | { readonly kind: 'calls'; readonly calls: readonly (readonly [method: string, seconds: number, ended: number])[] }
  | { readonly kind: 'readers'; readonly counts: ReaderCounts }
  | { readonly kind: 'readerLost'; readonly loss: ReaderLoss }
  | {
      readonly kind: 'log'
      readonly part: string
      readonly level: LineLevel
      readonly fields: object
      readonly text: string
    }
  | { readonly kind: 'listening'; readonly places: ReadonlyMap<string, ServicePlace> }
  /** The file has been closed, or is being read. */
  | { readonly kind: 'resting' }
  /** The servers cannot start. */
  | { readonly kind: 'failed'; readonly fault: ServerFault | undefined; readonly message: string }
  | { readonly kind: 'stopped' }

export type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'
