import { once } from 'node:events'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Chain, ChainDelegation } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import { workerUrl } from '../../primitives/packageRoot.ts'
import type { Owner } from '../../store/owner.ts'
import type { BlockImporter } from '../../sync/blockImporter.ts'
import type { Logger } from '../../system/logger.ts'
import { type Block, encodeBlock } from '../../types/block.ts'
import { isSenderKnown, senderOf } from '../../types/signTx.ts'
import type { CatchUpSettings } from './catchUpSettings.ts'
import { createHandshake, delegateOf, type Handshake } from './handshake.ts'
import { type CatchUpMessage, type CatchUpOrder, type CatchUpStart, senderSize } from './messages.ts'
import { createUnannounced, type Unannounced } from './unannounced.ts'

// Why a thread: docs/adr/0006-imports-write-behind.md.

export interface CatchUpParts {
  readonly chain: Pick<Chain, 'delegateTo' | 'read' | 'badBlocks'>
  readonly consensus: Pick<ConsensusEngine, 'hash'>
  readonly owner: Owner
  readonly log: Pick<Logger, 'warn'>
}

/** Twice V8's default size of the young generation: 8 % less CPU time for full blocks, and 40 MB more (docs/adr/0006). */
const resourceLimits = { maxYoungGenerationSizeMb: 96 }

/** A thread to which the import of blocks is delegated, as the thread of the chain sees it. */
class ImportingThread implements BlockImporter {
  private readonly parts: CatchUpParts
  private readonly worker: Worker
  private readonly port: MessagePort
  private readonly unannounced: Unannounced
  private readonly exited: Promise<void>
  /** Who waits for blocks to be made, oldest first. */
  private readonly waiting: { resolve(): void; reject(error: unknown): void }[] = []
  private failure: { readonly error: unknown } | undefined
  /** Whether a caller has got the failure. */
  private isTold = false
  private isEnding = false
  private delegation: ChainDelegation | undefined

  constructor(parts: CatchUpParts, worker: Worker, port: MessagePort) {
    this.parts = parts
    this.worker = worker
    this.port = port
    this.unannounced = createUnannounced(parts.chain, parts.consensus)
    this.exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  }

  /** Waits until the thread runs, and delegates the chain to it. */
  async start(handshake: Handshake): Promise<void> {
    this.worker.on('error', this.fail)
    this.worker.on('exit', () => {
      if (!this.isEnding) this.fail(endedEarly())
    })
    // A thread that cannot start says so here.
    await Promise.race([once(this.port, 'message'), this.exited])
    if (this.failure) throw this.failure.error
    const delegate = delegateOf(handshake, () => this.post({ kind: 'look' }))
    const delegation = this.parts.chain.delegateTo({ ...delegate, deliver: this.deliver })
    this.delegation = delegation
    this.port.on('message', (message: CatchUpMessage) => {
      this.handleSafely(message)
      if (message.kind === 'head') delegation.written()
    })
  }

  /** After this nothing is imported any more. */
  private readonly fail = (error: unknown): void => {
    this.failure ??= { error }
    this.isTold ||= this.waiting.length > 0
    for (const { reject } of this.waiting.splice(0)) reject(this.failure.error)
  }

  private handle(message: CatchUpMessage): void {
    if (message.kind === 'head') this.delegation!.announce(this.unannounced.eventOf(message.change))
    else if (message.kind === 'made') this.waiting.shift()?.resolve()
    else if (message.kind === 'failed') this.fail(this.unannounced.errorOf(message.failure))
    else if (message.kind === 'warning') this.parts.log.warn(message.fields, message.text)
  }

  /** What a listener throws must reach the importer, not the event loop. */
  private handleSafely(message: CatchUpMessage): void {
    try {
      this.handle(message)
    } catch (error) {
      this.fail(error)
    }
  }

  private readonly deliver = (): void => {
    for (let next = receiveMessageOnPort(this.port); next; next = receiveMessageOnPort(this.port))
      this.handleSafely(next.message)
  }

  private post(order: CatchUpOrder, memory: ArrayBuffer[] = []): void {
    this.port.postMessage(order, memory)
  }

  readonly importBlocks: BlockImporter['importBlocks'] = (blocks) =>
    new Promise((resolve, reject) => {
      if (this.failure) {
        this.isTold = true
        reject(this.failure.error)
        return
      }
      this.unannounced.keep(blocks)
      this.waiting.push({ resolve, reject })
      const encoded = blocks.map(encodeBlock)
      this.post(
        { kind: 'blocks', blocks: encoded, senders: sendersOf(blocks) },
        encoded.map(({ buffer }) => buffer as ArrayBuffer),
      )
    })

  readonly end: BlockImporter['end'] = async () => {
    this.isEnding = true
    this.post({ kind: 'end' })
    await this.exited
    this.deliver()
    this.port.close()
    this.delegation!.end()
    if (this.failure && !this.isTold) throw this.failure.error
  }
}

/** Delegates the chain to a thread that imports blocks, so that this one has time for peers and callers. */
export async function openCatchUp(settings: CatchUpSettings, parts: CatchUpParts): Promise<BlockImporter> {
  const handshake = createHandshake()
  const { port1: port, port2 } = new MessageChannel()
  const start: CatchUpStart = { ...settings, owner: parts.owner, port: port2, handshake }
  const worker = new Worker(workerUrl('importing/catchUp/catchUpWorker.ts'), {
    workerData: start,
    transferList: [port2],
    execArgv: [],
    resourceLimits,
  })
  const thread = new ImportingThread(parts, worker, port)
  await thread.start(handshake)
  return thread
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
