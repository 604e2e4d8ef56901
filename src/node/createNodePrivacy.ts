import { readFileSync } from 'node:fs'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView } from '../chain/view.ts'
import type { Config } from '../config/options.ts'
import { exactPrivateBlockOf } from '../forks/quoinConfig.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Logger } from '../primitives/logger.ts'
import type { Metrics } from '../primitives/metrics.ts'
import { fromBase64 } from '../privacy/base64.ts'
import type { Enclave } from '../privacy/enclave.ts'
import { createGroupStates } from '../privacy/groupStates.ts'
import { createNonceOf, createPrivacy } from '../privacy/privacy.ts'
import { createPrivateChain } from '../privacy/privateChain.ts'
import { createPrivateExecutor } from '../privacy/privateExecutor.ts'
import { createPrivateSender } from '../privacy/sendPrivate.ts'
import { createTesseraClient } from '../privacy/tesseraClient.ts'
import { createPrivateFilters } from '../rpc/events/privateFilters.ts'
import type { PrivacyPort } from '../rpc/protocol/context.ts'
import type { Pooling } from './createPooling.ts'
import { PrivacyKeyError } from './fault.ts'
import type { TimedChain } from './metrics/timedChain.ts'
import { readNodeKey } from './nodeKey.ts'
import type { OpenChain } from './openChain.ts'

export interface NodePrivacyParts extends Pick<OpenChain, 'store'> {
  readonly config: Config
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
  readonly port: PrivacyPort
  start(): void
  stop(): void
}

/** Creates what a node needs for private transactions; undefined where they are disabled. */
export function createNodePrivacy(parts: NodePrivacyParts): NodePrivacy | undefined {
  const { config, chain, store, consensus, pooling, clock, log, view } = parts
  if (!config['privacy-enabled']) return undefined
  const publicKey = readPublicKey(config['privacy-public-key-file']!)
  const markerFile = config['privacy-marker-transaction-signing-key-file']
  const enclave = createEnclave(config['privacy-url']!)
  const groups = createGroupStates(store)
  const executor = createPrivateExecutor({ consensus, exactFrom: exactPrivateBlockOf(chain.spec.genesis) })
  const follower = createPrivateChain({ chain, store, groups, executor, enclave, clock, log })
  const nonceOf = createNonceOf(view, follower, store, groups)
  const sender = createPrivateSender({
    ...{ enclave, publicKey, nonceOf },
    chainId: chain.spec.chainId,
    markerKey: markerFile === undefined ? undefined : readNodeKey(markerFile),
    pool: { submit: (tx) => pooling.intake.submit(tx, true), nextNonce: pooling.pool.nextNonce },
    chain: view,
  })
  const filters = createPrivateFilters(clock.now)
  follower.onLogs(filters.onLogs)
  measure(parts.metrics, follower.position, view)
  const privacy = createPrivacy({ enclave, publicKey, store, groups, executor, follower, sender, nonceOf })
  return { port: { ...privacy, filters }, start: follower.start, stop: follower.stop }
}

function createEnclave(url: URL): Enclave {
  const agent = url.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  return createTesseraClient({ url: url.href, agent })
}

function readPublicKey(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new PrivacyKeyError({ code: 'PUBLIC_KEY_FILE_UNREADABLE', path }, error)
  }
  if (text === '' || !fromBase64(text)) throw new PrivacyKeyError({ code: 'PUBLIC_KEY_FILE_INVALID', path })
  return text
}

function measure(metrics: Metrics, position: () => number, view: () => ChainView): void {
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
}
