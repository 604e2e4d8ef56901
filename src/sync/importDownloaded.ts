import { setImmediate } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import { ChainError } from '../chain/fault.ts'
import { BlockError, type BlockFault } from '../execution/fault.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { checkSparse } from '../net/eth/rlpParts.ts'
import { type BlockBatch, recoverAhead } from '../pool/recoverAhead.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import { type Block, decodeBody } from '../types/block.ts'
import type { BlockImporter } from './blockImporter.ts'
import type { ByteGate } from './byteGate.ts'
import type { DownloadedBlock } from './downloadBlocks.ts'
import { atFault, SyncError, stuckAt } from './fault.ts'

export interface BlockImportParts {
  readonly chain: Pick<Chain, 'read'>
  readonly importer: Pick<BlockImporter, 'importBlocks'>
  readonly recover: RecoverPool
  /** Sender of a transaction that the pool has. */
  knownSender(hash: Hash32): Address | undefined
  readonly gate: ByteGate
}

export interface ImportDownloadedOptions {
  /** The peer whose chain this is: blamed if no other peer is. */
  readonly target: EthPeer
  isStopped(): boolean
  onImported(blocks: readonly Block[]): void
}

interface Batch extends BlockBatch {
  readonly found: readonly DownloadedBlock[]
}

/** Bounds of a transaction of several blocks: other writers wait for it. */
const maxBlocks = 32
const maxGas = 15_000_000n
const maxBytes = 1 << 20
/** Batches that are given to the importer before the first of them is imported. */
const maxAhead = 2

/** Imports blocks as they arrive, many in one transaction, with pauses in which the node serves others. */
export async function importDownloaded(
  source: AsyncIterable<readonly DownloadedBlock[]>,
  { chain, importer, recover, knownSender, gate }: BlockImportParts,
  { target, isStopped, onImported }: ImportDownloadedOptions,
): Promise<void> {
  const begun: Promise<void>[] = []

  async function importBatch({ found, blocks }: Batch): Promise<void> {
    try {
      await importer.importBlocks(blocks)
    } catch (error) {
      throw error instanceof BlockError ? blame(error, found, chain, target) : explain(error)
    }
    onImported(blocks)
  }

  for await (const batch of recoverAhead(batchesOf(source, gate), recover, knownSender)) {
    const importing = importBatch(batch)
    // It is awaited later, and not at all after an earlier one has failed.
    importing.catch(() => {})
    begun.push(importing)
    if (begun.length > maxAhead) await begun.shift()
    // Sockets, timers and the threads that recover senders are served only between turns of the event loop.
    await setImmediate()
    if (isStopped()) throw new SyncError({ code: 'STOPPED' })
  }
  for (const importing of begun) await importing
}

/** Cuts the downloaded blocks into batches of one transaction each, and decodes them. */
async function* batchesOf(source: AsyncIterable<readonly DownloadedBlock[]>, gate: ByteGate): AsyncGenerator<Batch> {
  for await (const segment of source)
    for (let at = 0; at < segment.length; ) {
      const found = portion(segment, at)
      at += found.length
      const batch = { found, blocks: found.map(decode) }
      gate.release(sizeOf(found), found.at(-1)!.header.number + 1n)
      yield batch
    }
}

/** The blocks from `at` on that go into one transaction. */
function portion(segment: readonly DownloadedBlock[], at: number): readonly DownloadedBlock[] {
  let end = at
  let gas = 0n
  let bytes = 0
  for (; end < segment.length && end - at < maxBlocks; end++) {
    const { header, body } = segment[end]!
    gas += header.gasUsed
    bytes += body.length
    if (end > at && (gas > maxGas || bytes > maxBytes)) break
  }
  return segment.slice(at, end)
}

/** Bytes of the bodies that were downloaded, as the gate counts them. */
function sizeOf(found: readonly DownloadedBlock[]): number {
  return found.reduce((sum, { body, bodyFrom }) => sum + (bodyFrom ? body.length : 0), 0)
}

function decode({ header, body, bodyFrom, headerFrom }: DownloadedBlock): Block {
  try {
    return { header, ...decodeBody(checkSparse(body)) }
  } catch (error) {
    throw atFault(bodyFrom ?? headerFrom, 'breachOfProtocol', `body of block ${header.number} cannot be decoded`, error)
  }
}

/** Faults of a body that does not belong to its header. */
const ofBody: ReadonlySet<BlockFault['code']> = new Set<BlockFault['code']>([
  'TRANSACTIONS_ROOT_MISMATCH',
  'OMMERS_HASH_MISMATCH',
  'WITHDRAWALS_ROOT_MISMATCH',
  'WITHDRAWALS_MISSING',
  'WITHDRAWALS_NOT_ALLOWED',
])
/** Faults of what a BFT block's hash does not cover, so that the peer that sent the header may have changed it. */
export const faultsOfSeals: ReadonlySet<BlockFault['code']> = new Set<BlockFault['code']>([
  'SEAL_INVALID',
  'SEAL_TWICE',
  'TOO_FEW_SEALS',
  'SIGNER_NOT_VALIDATOR',
])

/** A branch that this node cannot change to is no peer's fault. */
function explain(error: unknown): unknown {
  if (!(error instanceof ChainError) || error.at.code !== 'BRANCH_TOO_DEEP') return error
  return new SyncError({ code: 'BRANCH_TOO_DEEP', block: BigInt(error.at.base) + 1n, reason: error.message }, error)
}

/** Blames the peer that sent the invalid part of a block; nobody if the block only came too early. */
function blame(
  error: BlockError,
  found: readonly DownloadedBlock[],
  chain: Pick<Chain, 'read'>,
  target: EthPeer,
): Error {
  const { code } = error.at
  // Our clock may be slow, or the head was set back meanwhile.
  if (code === 'TIMESTAMP_IN_FUTURE' || code === 'PARENT_UNKNOWN')
    return new SyncError({ code: 'INTERRUPTED', reason: error.message }, error)
  const refused = chain.read((view) => found.find(({ hash }) => !view.headerBy(hash)))
  const culprit =
    (ofBody.has(code) ? refused?.bodyFrom : faultsOfSeals.has(code) ? refused?.headerFrom : undefined) ?? target
  const reason = `block ${refused?.header.number ?? '?'} is invalid: ${error.message}`
  return refused
    ? stuckAt(refused.header.number, culprit, 'breachOfProtocol', reason, error)
    : atFault(culprit, 'breachOfProtocol', reason, error)
}
