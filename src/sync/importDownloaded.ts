import { setImmediate } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import { BlockError, type BlockFault } from '../execution/fault.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { decodeSparse } from '../net/eth/rlpParts.ts'
import { recoverSenders } from '../pool/recoverSenders.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { RecoverPool } from '../primitives/recoverPool.ts'
import { type Block, bodyFromRlp } from '../types/block.ts'
import type { ByteGate } from './byteGate.ts'
import type { DownloadedBlock } from './downloadBlocks.ts'
import { atFault, SyncError } from './fault.ts'

export interface BlockImportParts {
  readonly chain: Pick<Chain, 'importBlocks' | 'view'>
  readonly recover: RecoverPool
  /** Sender of a transaction that the pool has. */
  knownSender(hash: Hash32): Address | undefined
  readonly gate: ByteGate
}

export interface ImportDownloadedOptions {
  /** Whose chain this is: to blame where nobody else is. */
  readonly target: EthPeer
  isStopped(): boolean
  onImported(blocks: readonly Block[]): void
}

interface Batch {
  readonly found: readonly DownloadedBlock[]
  readonly blocks: readonly Block[]
}

const firstPace = 8
const maxBlocks = 256
/** Milliseconds: as long as a transaction runs, neither RPC nor peers are answered. */
const maxBatch = 200
/** A transaction of several blocks stays below these. */
const maxGas = 30_000_000n
const maxBytes = 1 << 20

/** Imports blocks as they come, many to a transaction, with pauses in which the node answers others. */
export async function importDownloaded(
  source: AsyncIterable<readonly DownloadedBlock[]>,
  { chain, recover, knownSender, gate }: BlockImportParts,
  { target, isStopped, onImported }: ImportDownloadedOptions,
): Promise<void> {
  let pace = firstPace

  async function commit({ found, blocks }: Batch): Promise<void> {
    const started = performance.now()
    try {
      chain.importBlocks(blocks)
    } catch (error) {
      throw error instanceof BlockError ? blame(error, found, chain, target) : error
    }
    pace = performance.now() - started > maxBatch ? Math.max(1, pace >> 1) : Math.min(maxBlocks, pace << 1)
    onImported(blocks)
    // Sockets, timers and the threads that recover senders are heard only between turns.
    await setImmediate()
    if (isStopped()) throw new SyncError({ code: 'STOPPED' })
  }

  let ready: Batch | undefined
  for await (const segment of source)
    for (let at = 0; at < segment.length; ) {
      const found = portion(segment, at, pace)
      at += found.length
      const batch = { found, blocks: found.map(decode) }
      gate.release(sizeOf(found), found.at(-1)!.header.number + 1n)
      // While this thread runs one batch, others recover the senders of the next.
      const recovered = recoverSenders(
        batch.blocks.flatMap(({ transactions }) => transactions),
        recover,
        knownSender,
      )
      if (ready) await commit(ready)
      await recovered
      ready = batch
    }
  if (ready) await commit(ready)
}

/** Blocks from `at` on that make one transaction. */
function portion(segment: readonly DownloadedBlock[], at: number, pace: number): readonly DownloadedBlock[] {
  let end = at
  let gas = 0n
  let bytes = 0
  for (; end < segment.length && end - at < pace; end++) {
    const { header, body } = segment[end]!
    gas += header.gasUsed
    bytes += body.length
    if (end > at && (gas > maxGas || bytes > maxBytes)) break
  }
  return segment.slice(at, end)
}

/** Bytes that the gate was told of: bodies that were fetched. */
function sizeOf(found: readonly DownloadedBlock[]): number {
  return found.reduce((sum, { body, bodyFrom }) => sum + (bodyFrom ? body.length : 0), 0)
}

function decode({ header, body, bodyFrom, headerFrom }: DownloadedBlock): Block {
  try {
    return { header, ...bodyFromRlp(decodeSparse(body)) }
  } catch (error) {
    throw atFault(bodyFrom ?? headerFrom, 'breachOfProtocol', `body of block ${header.number} cannot be read`, error)
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
/** Faults of what a BFT block's hash does not cover, so that whoever gave the header may have spoiled it. */
const ofSeals: ReadonlySet<BlockFault['code']> = new Set<BlockFault['code']>([
  'SEAL_INVALID',
  'SEAL_TWICE',
  'TOO_FEW_SEALS',
  'SIGNER_NOT_VALIDATOR',
])

/** Who is to blame for a block that was refused; nobody when it is merely too early for it. */
function blame(
  error: BlockError,
  found: readonly DownloadedBlock[],
  chain: Pick<Chain, 'view'>,
  target: EthPeer,
): Error {
  const { code } = error.at
  // Our clock may be slow, or the head was set back meanwhile.
  if (code === 'TIMESTAMP_IN_FUTURE' || code === 'PARENT_UNKNOWN')
    return new SyncError({ code: 'INTERRUPTED', reason: error.message }, error)
  const view = chain.view()
  const refused = found.find(({ hash }) => !view.headerBy(hash))
  view.close()
  const culprit = (ofBody.has(code) ? refused?.bodyFrom : ofSeals.has(code) ? refused?.headerFrom : undefined) ?? target
  const reason = `block ${refused?.header.number ?? '?'} is invalid: ${error.message}`
  return atFault(culprit, 'breachOfProtocol', reason, error)
}
