import type { Chain } from '../../src/chain/chain.ts'
import type { HashedBlock, HashedHeader } from '../../src/chain/view.ts'
import type { AuthorityEngine } from '../../src/consensus/authorityEngine.ts'
import { createProducer } from '../../src/consensus/createProducer.ts'
import type { Producer } from '../../src/consensus/producing/producer.ts'
import type { ValidatorNetwork } from '../../src/consensus/validatorNetwork.ts'
import { createVotes, type Votes } from '../../src/consensus/voting/votes.ts'
import { createChainSpec } from '../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import { createLocalKey, type NodeKey } from '../../src/keys/nodeIdentity.ts'
import { poolHeadOf } from '../../src/node/ports/poolHead.ts'
import { createPool } from '../../src/pool/createPool.ts'
import { defaultPoolOptions } from '../../src/pool/options.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { type Address, emptyBytes, zeroAddress } from '../../src/primitives/bytes.ts'
import { createStateStore } from '../../src/state/stateStore.ts'
import type { Store } from '../../src/store/store.ts'
import type { Clock } from '../../src/system/clock.ts'
import { createLoggers } from '../../src/system/logger.ts'
import { type Authority, createAuthorityEngine } from './authorityChain.ts'
import { openTestChain, removeFolder } from './testChain.ts'

/** A validator with a chain on disk, a pool and a producer, but without sockets. */
export interface ValidatorNode {
  readonly address: Address
  readonly path: string
  readonly chain: Chain
  readonly consensus: AuthorityEngine
  readonly pool: Pool
  readonly votes: Votes
  readonly producer: Producer
  head(): HashedHeader
  validators(): readonly Address[]
  /** Its folder stays when it is to be opened again. */
  close(keepFolder?: boolean): Promise<void>
}

export interface ValidatorNodeOptions {
  readonly genesis: object
  readonly authority: Authority
  readonly clock: Clock
  readonly network: ValidatorNetwork
  readonly path?: string
  readonly random?: () => number
  /** The key of the authority, where it is not here. */
  readonly key?: NodeKey
  /** What it writes into the blocks that it makes. */
  readonly extraData?: Uint8Array
  /** Told before each write transaction and after it; what it throws passes through. */
  readonly onWrite?: (when: 'before' | 'after') => void
}

export const logLines: string[] = []

export function openValidator(options: ValidatorNodeOptions): ValidatorNode {
  const { genesis, authority, clock, network, random = () => 0.5, onWrite } = options
  const spec = createChainSpec(toGenesisFile(genesis))
  const consensus = createAuthorityEngine(spec, { clock })
  const opened = openTestChain(spec, options.path, (parts) => {
    const store: Store = {
      ...parts.store,
      write(action) {
        onWrite?.('before')
        const result = parts.store.write(action)
        onWrite?.('after')
        return result
      },
    }
    return { ...parts, store, states: createStateStore(store), consensus }
  })
  const { chain, store, path } = opened
  let view = chain.openView()
  let head = poolHeadOf(view)
  const mining = () => ({ enabled: true, minGasPrice: 0n })
  const pool = createPool(defaultPoolOptions, { head: () => head, mining })
  chain.onHead(({ added, removed }) => {
    view.close()
    view = chain.openView()
    head = poolHeadOf(view)
    const transactionsOf = (blocks: readonly HashedBlock[]) => blocks.flatMap(({ block }) => block.transactions)
    pool.onHead({ added: transactionsOf(added), removed: transactionsOf(removed), now: clock.now() })
  })
  const votes = createVotes()
  const log = createLoggers({ level: 'debug', pretty: true, color: false, write: (line) => void logLines.push(line) })
  const producer = createProducer(spec, {
    chain,
    consensus,
    store,
    pool,
    clock,
    log,
    network,
    votes,
    random,
    key: options.key ?? createLocalKey(authority.key),
    settings: () => ({
      beneficiary: zeroAddress,
      extraData: options.extraData ?? emptyBytes,
      minGasPrice: 0n,
      minPriorityFee: 0n,
      minOccupancy: 0.8,
      targetGasLimit: undefined,
    }),
    onRoundChange: () => {},
  })
  if (!producer) throw new Error('the network has no producer')
  return {
    address: authority.address,
    path,
    chain,
    consensus,
    pool,
    votes,
    producer,
    head: chain.head,
    validators: () => chain.read((now) => consensus.validatorsAfter(now.head, now)),
    async close(keepFolder = false) {
      producer.stop()
      view.close()
      await opened.close()
      if (!keepFolder) removeFolder(path)
    },
  }
}
