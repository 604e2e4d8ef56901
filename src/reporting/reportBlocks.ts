import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import type { HeadEvent } from '../chain/events.ts'
import type { HashedBlock } from '../chain/view.ts'
import { isAuthorityEngine } from '../consensus/authorityEngine.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ChainWork } from '../metrics/timedChain.ts'
import { type Address, equalBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { SyncPort } from '../rpc/protocol/context.ts'
import type { Logger } from '../system/logger.ts'

export interface BlockReportParts {
  readonly chain: Pick<Chain, 'onHead'>
  readonly consensus: ConsensusEngine
  /** The address of the node's key. */
  readonly address: Address
  readonly peers: () => number
  readonly sync: SyncPort
  /** What the chain is doing. */
  readonly work: () => ChainWork | undefined
  readonly metrics: Metrics
  /** Reorganisations that remove fewer blocks are logged at level debug. */
  readonly minReorgDepth: number
  readonly log: Logger
}

/** Blocks that came together and are logged one by one; of more only the last is logged. */
const maxLines = 5

/** Logs and counts each block that joins the chain; while the node is syncing, sync reports its progress instead. */
export function reportBlocks(parts: BlockReportParts): void {
  const { chain, consensus, address, peers, sync, work, metrics, minReorgDepth, log } = parts
  const counter = (name: string, help: string) => metrics.counter({ category: 'blockchain', name, help })()
  const produced = counter('blocks_produced_total', 'Blocks of the canonical chain that this node has made.')
  const imported = counter('blocks_imported_total', 'Blocks of the canonical chain that others have made.')

  /** Who made a block; undefined where blocks do not say. */
  function proposerOf({ header }: HashedBlock): Address | undefined {
    return isAuthorityEngine(consensus) ? consensus.signerOf(header) : undefined
  }

  function reportBlock(added: HashedBlock, seconds: number | undefined): void {
    const { header, hash, block } = added
    const proposer = proposerOf(added)
    const isOwn = proposer ? equalBytes(proposer, address) : work()?.way === 'produce'
    ;(isOwn ? produced : imported).add()
    const fields = {
      number: Number(header.number),
      txs: block.transactions.length,
      gasUsed: Number(header.gasUsed),
      gasPercent: Math.round((Number(header.gasUsed) / Number(header.gasLimit)) * 1000) / 10,
      hash: toHex(hash),
      seconds: seconds === undefined ? undefined : Math.round(seconds * 1000) / 1000,
      peers: peers(),
      proposer: proposer && toHex(proposer),
    }
    const verb = isOwn ? 'Produced' : 'Imported'
    log.info(
      fields,
      `${verb} #{number} / {txs} tx / {gasUsed} ({gasPercent}%) gas / {hash} in {seconds}s. Peers: {peers}`,
    )
  }

  function reportMany(added: readonly HashedBlock[], isSyncing: boolean): void {
    imported.add(added.length)
    if (isSyncing) return
    const { header, hash } = added.at(-1)!
    const fields = { blocks: added.length, number: Number(header.number), hash: toHex(hash), peers: peers() }
    log.info(fields, 'Imported {blocks} blocks up to #{number} / {hash}. Peers: {peers}')
  }

  function reportReorg({ head, added, removed }: HeadEvent): void {
    const number = Number(head.header.number)
    const fields = { number, hash: toHex(head.hash), removed: removed.length, added: added.length }
    const level = removed.length < minReorgDepth ? 'debug' : 'info'
    if (added.length)
      log[level](fields, 'chain reorganised: {removed} blocks removed, {added} added, head is #{number} / {hash}')
    else log[level](fields, 'head set back to #{number} / {hash}: {removed} blocks removed')
  }

  chain.onHead((event) => {
    const { added, removed } = event
    if (removed.length) reportReorg(event)
    if (added.length === 0) return
    const isSyncing = sync.status() !== undefined
    if (isSyncing || added.length > maxLines) reportMany(added, isSyncing)
    else for (const block of added) reportBlock(block, work()?.seconds)
  })
}
