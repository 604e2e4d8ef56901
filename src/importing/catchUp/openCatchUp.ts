import { once } from 'node:events'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { recordBad } from '../../chain/badBlocks.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import { ChainError } from '../../chain/fault.ts'
import type { HashedBlock } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { type Hash32, keyOf } from '../../primitives/bytes.ts'
import { workerUrl } from '../../primitives/packageRoot.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { StoreError } from '../../store/fault.ts'
import type { Owner } from '../../store/owner.ts'
import type { BlockImporter } from '../../sync/blockImporter.ts'
import type { Logger } from '../../system/logger.ts'
import { type Block, encodeBlock } from '../../types/block.ts'
import { isSenderKnown, senderOf } from '../../types/signTx.ts'
import type { CatchUpSettings } from './catchUpSettings.ts'
import { createHandshake, delegateOf } from './handshake.ts'
import {
  type CatchUpFailure,
  type CatchUpMessage,
  type CatchUpOrder,
  type CatchUpStart,
  type HeadChange,
  senderSize,
} from './messages.ts'

// Why a thread: docs/adr/0006-imports-write-behind.md.

export interface CatchUpParts {
  readonly chain: Pick<Chain, 'delegateTo' | 'read' | 'badBlocks'>
  readonly consensus: Pick<ConsensusEngine, 'hash'>
  readonly owner: Owner
  readonly log: Pick<Logger, 'warn'>
}

/** Blocks whose objects are kept until they are announced; others are read again. */
const maxKept = 512

/** Twice V8's default size of the young generation: 8 % less CPU time for full blocks, and 40 MB more (docs/adr/0006). */
const resourceLimits = { maxYoungGenerationSizeMb: 96 }

/** Lends the chain to a thread that imports blocks, so that this one has time for peers and callers. */
export async function openCatchUp(
  settings: CatchUpSettings,
  { chain, consensus, owner, log }: CatchUpParts,
): Promise<BlockImporter> {
  const handshake = createHandshake()
  const { port1: port, port2 } = new MessageChannel()
  const start: CatchUpStart = { ...settings, owner, port: port2, handshake }
  const worker = new Worker(workerUrl('importing/catchUp/catchUpWorker.ts'), {
    workerData: start,
    transferList: [port2],
    execArgv: [],
    resourceLimits,
  })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  /** Blocks that are not announced yet. */
  const kept = createRecentMap<string, HashedBlock>(maxKept)
  /** Who waits for blocks to be made, oldest first. */
  const waiting: { resolve(): void; reject(error: unknown): void }[] = []
  let failure: { readonly error: unknown } | undefined
  /** Whether a caller has got the failure. */
  let isTold = false
  let isEnding = false

  function blockOf(hash: Hash32): HashedBlock {
    const key = keyOf(hash)
    const block = kept.get(key) ?? chain.read((view) => view.blockBy(hash))!
    kept.delete(key)
    return block
  }

  function announce({ head, added, removed }: HeadChange): void {
    const blocks = added.map(blockOf)
    delegation.announce({
      head: blocks.at(-1) ?? chain.read((view) => view.headerBy(head))!,
      added: blocks,
      removed: removed.map(blockOf),
    })
  }

  function errorOf(reason: CatchUpFailure): Error {
    if (reason.kind === 'store') return new StoreError(reason.fault)
    if (reason.kind === 'chain') return new ChainError(reason.fault)
    if (reason.kind === 'bug') return new Error(`blocks could not be imported: ${reason.message}`)
    const error = new BlockError(reason.fault)
    const bad = reason.hash && kept.get(keyOf(reason.hash))
    if (bad) recordBad(chain.badBlocks, bad, error)
    return error
  }

  /** After this nothing is imported any more. */
  function fail(error: unknown): void {
    failure ??= { error }
    isTold ||= waiting.length > 0
    for (const { reject } of waiting.splice(0)) reject(failure.error)
  }

  function handle(message: CatchUpMessage): void {
    if (message.kind === 'head') announce(message.change)
    else if (message.kind === 'made') waiting.shift()?.resolve()
    else if (message.kind === 'failed') fail(errorOf(message.failure))
    else if (message.kind === 'warning') log.warn(message.fields, message.text)
  }

  /** What a listener throws must reach the importer, not the event loop. */
  function handleSafely(message: CatchUpMessage): void {
    try {
      handle(message)
    } catch (error) {
      fail(error)
    }
  }

  function deliver(): void {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) handleSafely(next.message)
  }

  const post = (order: CatchUpOrder, memory: ArrayBuffer[] = []) => port.postMessage(order, memory)

  worker.on('error', fail)
  worker.on('exit', () => {
    if (!isEnding) fail(endedEarly())
  })
  // A thread that cannot start says so here.
  await Promise.race([once(port, 'message'), exited])
  if (failure) throw failure.error
  const delegation = chain.delegateTo({ ...delegateOf(handshake, () => post({ kind: 'look' })), deliver })
  port.on('message', (message: CatchUpMessage) => {
    handleSafely(message)
    if (message.kind === 'head') delegation.written()
  })

  return {
    importBlocks: (blocks) =>
      new Promise((resolve, reject) => {
        if (failure) {
          isTold = true
          reject(failure.error)
          return
        }
        for (const block of blocks) {
          const hash = consensus.hash(block.header)
          kept.set(keyOf(hash), { header: block.header, hash, block })
        }
        waiting.push({ resolve, reject })
        const encoded = blocks.map(encodeBlock)
        post(
          { kind: 'blocks', blocks: encoded, senders: sendersOf(blocks) },
          encoded.map(({ buffer }) => buffer as ArrayBuffer),
        )
      }),
    async end() {
      isEnding = true
      post({ kind: 'end' })
      await exited
      deliver()
      port.close()
      delegation.end()
      if (failure && !isTold) throw failure.error
    },
  }
}

const endedEarly = () => new Error('the thread that imports blocks has ended')

/** The senders that are known, one at a time. */
function sendersOf(blocks: readonly Block[]): Uint8Array {
  const txs = blocks.flatMap(({ transactions }) => transactions)
  const senders = new Uint8Array(txs.length * senderSize)
  for (const [i, tx] of txs.entries()) {
    const sender = isSenderKnown(tx) ? senderOf(tx) : undefined
    if (sender) senders.set(sender, i * senderSize)
  }
  return senders
}
