import type { Chain } from '../chain/chain.ts'
import { isHere } from '../chain/takeOver/past.ts'
import type { ChainView } from '../chain/view.ts'
import type { Pool } from '../pool/pool.ts'
import type { MiningPort, PeersPort, SyncPort } from '../rpc/protocol/context.ts'
import type { Counter, MetricCategory, Metrics } from './metrics.ts'

/** The parts of a node that are measured. */
export interface MeasuredNode {
  /** The chain as of the last block. */
  readonly view: () => ChainView
  readonly chain: Pick<Chain, 'onHead'>
  readonly pool: Pick<Pool, 'statistics' | 'subscribe'>
  /** Undefined where the peer-to-peer network is disabled. */
  readonly peers: Pick<PeersPort, 'count' | 'list'> | undefined
  readonly maxPeers: number
  readonly mining: Pick<MiningPort, 'minGasPrice' | 'minPriorityFee'>
  /** What `web3_clientVersion` returns. */
  readonly version: string
  readonly sync: SyncPort
}

/** Measures a node; returns a function that stops it. */
export function measureNode(metrics: Metrics, node: MeasuredNode): () => void {
  measureHead(metrics, node)
  measurePeers(metrics, node)
  measureSettings(metrics, node)
  const stops = [countBlocks(metrics, node), measurePool(metrics, node)]
  return () => {
    for (const stop of stops) stop()
  }
}

function gaugeOf(metrics: Metrics, category: MetricCategory) {
  return (name: string, help: string, read: () => number | undefined): void =>
    metrics.gauge({ category, name, help }, read)
}

function measureHead(metrics: Metrics, { view, sync }: MeasuredNode): void {
  const blockchain = gaugeOf(metrics, 'blockchain')
  const ethereum = gaugeOf(metrics, 'ethereum')
  const header = () => view().head.header
  const height = () => Number(header().number)
  const body = () => (isHere(view(), header().number) ? view().body(view().head.hash) : undefined)
  blockchain('height', 'Number of the head.', height)
  // The second name is that of Besu since 24.12.
  for (const name of ['difficulty_total', 'difficulty'])
    blockchain(name, 'Total difficulty up to the head.', () => Number(view().totalDifficulty(view().head.hash) ?? 0n))
  blockchain('chain_head_timestamp', 'Time of the head, in seconds since 1970.', () => Number(header().timestamp))
  blockchain('chain_head_gas_used', 'Gas that the head used.', () => Number(header().gasUsed))
  blockchain('chain_head_gas_limit', 'Gas limit of the head.', () => Number(header().gasLimit))
  blockchain('chain_head_transaction_count', 'Transactions of the head.', () => body()?.transactions.length)
  blockchain('chain_head_ommer_count', 'Ommers of the head.', () => body()?.ommers.length)
  ethereum('blockchain_height', 'Number of the head.', height)
  ethereum('best_known_block_number', 'Highest block number that a peer is known to have.', () =>
    Number(sync.status()?.highestBlock ?? header().number),
  )
  gaugeOf(metrics, 'synchronizer')('in_sync', '1 if the node is in sync, otherwise 0.', () =>
    sync.status() === undefined ? 1 : 0,
  )
}

function measurePeers(metrics: Metrics, { peers, maxPeers }: MeasuredNode): void {
  const count = () => peers?.count() ?? 0
  gaugeOf(metrics, 'peers')('peer_count_current', 'Peers that are connected.', count)
  const ethereum = gaugeOf(metrics, 'ethereum')
  ethereum('peer_count', 'Peers that are connected.', count)
  ethereum('peer_limit', 'Peers that may be connected.', () => maxPeers)
  metrics.gauges(
    { category: 'peers', name: 'peer_count_by_client', help: 'Peers that are connected, by client.' },
    'client',
    () => countBy((peers?.list() ?? []).map(({ clientId }) => clientId.split('/')[0] || 'unknown')),
  )
}

/** How often each name is there. */
function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function measureSettings(metrics: Metrics, { mining, version }: MeasuredNode): void {
  const ethereum = gaugeOf(metrics, 'ethereum')
  ethereum('min_gas_price', 'Minimum gas price of accepted transactions, in wei.', () => Number(mining.minGasPrice()))
  ethereum('min_priority_fee', 'Minimum priority fee of transactions in new blocks, in wei.', () =>
    Number(mining.minPriorityFee()),
  )
  metrics.gauges({ category: 'process', name: 'release', help: 'The version that runs.' }, 'version', () => [
    [version, 1],
  ])
}

function countBlocks(metrics: Metrics, { chain }: MeasuredNode): () => void {
  const counter = (name: string, help: string): Counter => metrics.counter({ category: 'blockchain', name, help })()
  const blocks = counter('blocks_added_total', 'Blocks that joined the canonical chain.')
  const removals = counter('blocks_removed_total', 'Blocks that left the canonical chain.')
  // The second names are those of Besu since 24.3, whose counters all end like that.
  const both = (name: string, help: string) => [counter(name, help), counter(`${name}_total`, help)]
  const transactions = both('chain_head_transaction_count_counter', 'Transactions of blocks that joined the chain.')
  const gas = both('chain_head_gas_used_counter', 'Gas of blocks that joined the chain.')
  return chain.onHead(({ added, removed }) => {
    blocks.add(added.length)
    removals.add(removed.length)
    for (const { header, block } of added) {
      for (const one of transactions) one.add(block.transactions.length)
      for (const one of gas) one.add(Number(header.gasUsed))
    }
  })
}

function measurePool(metrics: Metrics, { pool }: MeasuredNode): () => void {
  const category = 'transaction_pool'
  const source = (isLocal: boolean): string => (isLocal ? 'local' : 'remote')
  const added = metrics.counter({ category, name: 'added_total', help: 'Transactions added to the pool.' }, ['source'])
  const removed = metrics.counter({ category, name: 'removed_total', help: 'Transactions that left the pool.' }, [
    'reason',
  ])
  metrics.gauges(
    { category, name: 'number_of_transactions', help: 'Transactions in the pool, by source.' },
    'source',
    () => {
      const { localCount, remoteCount } = pool.statistics()
      return [
        ['local', localCount],
        ['remote', remoteCount],
      ]
    },
  )
  return pool.subscribe((event) => {
    if (event.type === 'added') added(source(event.entry.local)).add()
    else removed(event.reason.code.toLowerCase()).add()
  })
}
