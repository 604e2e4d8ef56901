import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView } from '../chain/view.ts'
import type { OpenChain } from '../chainData/openChain.ts'
import { standardPrivateBlockOf } from '../forks/quoinConfig.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { TimedChain } from '../metrics/timedChain.ts'
import { fromBase64 } from '../privacy/enclave/base64.ts'
import { createGroupStates } from '../privacy/execution/groupStates.ts'
import { createPrivateExecutor } from '../privacy/execution/privateExecutor.ts'
import { createFlexibleDistribution } from '../privacy/flexible/flexibleDistribution.ts'
import { createFlexibleGroups } from '../privacy/flexible/flexibleGroups.ts'
import { createPrivateChain } from '../privacy/following/createPrivateChain.ts'
import { createMembership } from '../privacy/following/membership.ts'
import { createOwnGroups } from '../privacy/following/ownGroups.ts'
import type { PrivateChain } from '../privacy/following/privateChain.ts'
import { createNonceOf, createPrivacy } from '../privacy/privacy.ts'
import { createManagedDistribution } from '../privacy/sending/distribution.ts'
import type { GroupKind } from '../privacy/sending/markers.ts'
import { createPrivateSender } from '../privacy/sending/sendPrivate.ts'
import { privacyForTenants } from '../rpc/calls/privacyForTenants.ts'
import { createPrivateFilters, type PrivateFilters } from '../rpc/events/privateFilters.ts'
import type { PrivacyFor, PrivacyPort } from '../rpc/protocol/privacyPorts.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { Pooling } from './createPooling.ts'
import type { NodeManager } from './nodeManager.ts'
import { requireHistory } from './requireHistory.ts'

export interface NodePrivacyParts extends Pick<OpenChain, 'store'> {
  /** Undefined where private transactions are disabled. */
  readonly manager: NodeManager | undefined
  /** Who keeps the groups. */
  readonly kind: GroupKind
  readonly chain: TimedChain
  readonly consensus: Pick<ConsensusEngine, 'beneficiary'>
  readonly pooling: Pick<Pooling, 'pool' | 'intake'>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
  /** The chain as of the last commit. */
  view(): ChainView
}

/** Private transactions of a node. */
export interface NodePrivacy {
  readonly port: PrivacyFor
  readonly filters: PrivateFilters
  readonly onLogs: PrivateChain['onLogs']
  start(): void
  stop(): Promise<void>
}

/** Creates what a node needs for private transactions; undefined where they are disabled. */
export function createNodePrivacy(parts: NodePrivacyParts): NodePrivacy | undefined {
  const { manager, kind, chain, store, consensus, pooling, clock, log, view } = parts
  if (!manager) return undefined
  const { enclave, publicKey, markerKey } = manager
  const isShared = publicKey === undefined
  const groups = createGroupStates(store)
  const executor = createPrivateExecutor({ consensus, standardFrom: standardPrivateBlockOf(chain.spec.genesis), kind })
  const ownKeys = isShared ? [] : [fromBase64(publicKey)!]
  const follower = createPrivateChain({ chain, store, groups, executor, enclave, kind, ownKeys, clock, log })
  requireHistory(view(), follower.position())
  const { reach } = follower
  const flexible = kind === 'flexible' ? createFlexibleGroups({ chain, reach, store, groups, executor }) : undefined
  const distribution = flexible
    ? createFlexibleDistribution({ enclave, store, chain: view, flexible })
    : createManagedDistribution(enclave)
  const nonceOf = createNonceOf(view, follower, store, groups)
  const sender = createPrivateSender({
    ...{ kind, distribution, isShared, markerKey, nonceOf },
    chainId: chain.spec.chainId,
    pool: { submit: (tx) => pooling.intake.submit(tx, true), nextNonce: pooling.pool.nextNonce },
    chain: view,
  })
  const filters = createPrivateFilters(clock.now)
  follower.onLogs(filters.onLogs)
  manager.onArrival?.(follower.onArrival)
  measure(parts.metrics, follower, view)
  const membership = createMembership({ enclave, store, chain: view })
  const ownGroups = createOwnGroups({
    ...{ enclave, store, groups, membership, flexible, follower },
    head: () => view().head.header.number,
  })
  const common = {
    ...{ enclave, flexible, store, groups, executor, follower, sender, nonceOf, ownGroups },
    membership: isShared ? membership : undefined,
  }
  const portOf = (key: string) => ({ ...createPrivacy({ ...common, publicKey: key }), filters })
  const port = { kind, of: privacyOf(publicKey, portOf) }
  return { port, filters, onLogs: follower.onLogs, start: follower.start, stop: follower.stop }
}

/** The private transactions of the caller: of the node's key, or with tenants of the key in their token. */
function privacyOf(publicKey: string | undefined, portOf: (publicKey: string) => PrivacyPort): PrivacyFor['of'] {
  if (publicKey === undefined) return privacyForTenants(portOf)
  const own = portOf(publicKey)
  return () => own
}

function measure(metrics: Metrics, { position, groupsBehind }: PrivateChain, view: () => ChainView): void {
  const category = 'blockchain'
  metrics.gauge(
    { category, name: 'private_height', help: 'Last block whose private transactions were executed.' },
    position,
  )
  metrics.gauge(
    {
      category,
      name: 'private_lag',
      help: 'Blocks whose private transactions wait for the private transaction manager.',
    },
    () => Number(view().head.header.number) - position(),
  )
  metrics.gauge(
    {
      category,
      name: 'private_groups_behind',
      help: 'Privacy groups that execute again because a payload has come late.',
    },
    groupsBehind,
  )
}
