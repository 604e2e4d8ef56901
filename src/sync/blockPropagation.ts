import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import { type CheckedBlock, checkContent, checkHeader } from '../chain/checkedBlock.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import { ChainError } from '../chain/fault.ts'
import { identify } from '../chain/identify.ts'
import { isHere } from '../chain/takeOver/past.ts'
import type { ChainView, HashedBlock, HashedHeader } from '../chain/view.ts'
import { BlockError, type BlockFault, isPermanent } from '../execution/fault.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { EthPeers } from '../net/eth/ethPeers.ts'
import { decodeNewBlock, decodeNewBlockHashes, encodeNewBlock, encodeNewBlockHashes } from '../net/eth/newBlock.ts'
import { checkSparse } from '../net/eth/rlpParts.ts'
import { recoverSenders } from '../pool/recoverSenders.ts'
import { type Address, equalBytes, type Hash32, includesBytes, keyOf } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'
import { runInTurns } from '../primitives/steps.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { decodeBlock, decodeBody } from '../types/block.ts'
import type { Candidate } from './candidate.ts'
import { createOrphans } from './orphans.ts'

export interface BlockPropagationParts {
  readonly chain: Pick<Chain, 'head' | 'read' | 'verify' | 'importBlock' | 'badBlocks' | 'onHead'>
  readonly consensus: Pick<ConsensusEngine, 'hash' | 'canonical' | 'validateHeader'>
  readonly peers: EthPeers
  readonly recover: RecoverPool
  knownSender(hash: Hash32): Address | undefined
  readonly clock: Clock
  readonly log: Logger
  /** Called when blocks are missing that only sync can fetch. */
  onGap(): void
}

/** How far behind or ahead of the head an announced block may be. */
const nearBehind = 10n
const nearAhead = 30n
/** Blocks that are fetched or imported at a time. */
const maxInHand = 64
/** Requests to one peer from which on its announcements are ignored. */
const maxLoad = 8

/** Faults of a header that is valid for peers whose clock or chain is ahead of ours. */
const ofTheMoment: ReadonlySet<BlockFault['code']> = new Set<BlockFault['code']>([
  'TIMESTAMP_IN_FUTURE',
  'VALIDATORS_UNKNOWN',
])

/** Imports new blocks that peers announce, and propagates them and our own. */
export interface BlockPropagation {
  onNewBlock(peer: EthPeer, payload: Uint8Array): void
  onNewBlockHashes(peer: EthPeer, payload: Uint8Array): void
  /** Sends a block that this node produced or completed, and imported, to all peers; to `holders` only its hash. */
  broadcast(hashed: HashedBlock, holders?: readonly Address[]): void
  /** Sends the head to all peers after a sync: they cannot know that we have reached it. */
  announceHead(): void
  /** Stops after the blocks that are being imported. */
  stop(): Promise<void>
}

/** New blocks on their way from and to peers: those being checked, and those whose parent is missing. */
class NewBlocks implements BlockPropagation {
  private readonly parts: BlockPropagationParts
  private readonly inHand = new Set<string>()
  private readonly orphans = createOrphans()
  private importing: Promise<void> = Promise.resolve()
  private readonly end: () => void

  constructor(parts: BlockPropagationParts) {
    this.parts = parts
    this.end = parts.chain.onHead(({ head, added }) => {
      if (this.orphans.size() === 0) return
      // Not inside the listener: other listeners have not seen this head yet.
      parts.clock.after(0, () => {
        for (const { hash } of added) for (const child of this.orphans.childrenOf(hash)) this.take(child)
        this.orphans.dropBelow(head.header.number - nearBehind)
      })
    })
  }

  private isNear(number: bigint): boolean {
    const head = this.parts.chain.head().header.number
    if (number > head + nearAhead) this.parts.onGap()
    return number >= head - nearBehind && number <= head + nearAhead
  }

  private isNew(hash: Hash32): boolean {
    if (this.inHand.has(keyOf(hash)) || this.inHand.size >= maxInHand || this.orphans.has(hash)) return false
    return !this.parts.chain.badBlocks.find(hash)?.condemned && !this.parts.chain.read((view) => view.headerBy(hash))
  }

  private sendToAll(
    { hash, header, block }: HashedBlock,
    totalDifficulty: bigint,
    holders: readonly Address[] = [],
  ): void {
    const key = keyOf(hash)
    let payload: Uint8Array | undefined
    for (const peer of this.parts.peers.all()) {
      if (peer.knownBlocks.has(key)) continue
      peer.knownBlocks.add(key)
      // A peer that has it without its seals, and does not get them from others, asks for it.
      if (includesBytes(holders, peer.info.address))
        peer.send('newBlockHashes', encodeNewBlockHashes([{ hash, number: header.number }]))
      else peer.send('newBlock', (payload ??= encodeNewBlock(block, totalDifficulty)))
    }
  }

  /**
   * Decodes a block and validates what can be validated without running it, before it is propagated; undefined if it is invalid.
   * None of that is done again: it stays true whatever the head is by the time of the import.
   */
  private check(candidate: Candidate, parent: HashedHeader, view: ChainView): CheckedBlock | undefined {
    const { header } = candidate
    let isSealed = false
    try {
      // The header comes first: no peer can make us decode a body that no validator has sealed.
      const checked = checkHeader(this.parts.consensus, candidate, parent, view)
      isSealed = true
      return checkContent(checked, candidate.decode())
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.parts.log.warn({ number: Number(header.number), reason: error.message }, 'peer sent an invalid block')
      if (!(error instanceof BlockError)) candidate.blame()
      else {
        // A peer validates the header before it propagates a block; it may not have run the rest yet.
        if (!isSealed && !ofTheMoment.has(error.at.code)) candidate.blame()
        this.remember(candidate, error)
      }
      return undefined
    }
  }

  private remember(candidate: Candidate, error: BlockError): void {
    try {
      const { hash } = candidate
      this.parts.chain.badBlocks.add({
        hash,
        block: candidate.decode(),
        reason: error.message,
        condemned: isPermanent(error.at),
      })
    } catch (unreadable) {
      this.parts.log.debug({ error: String(unreadable) }, 'invalid block cannot be decoded')
    }
  }

  private take(candidate: Candidate): void {
    const { parentHash } = candidate.header
    const isOrphan = this.parts.chain.read((view) => {
      const parent = view.headerBy(parentHash)
      if (!parent) return true
      const hashed = this.check(candidate, parent, view)
      if (!hashed) return false
      const totalDifficulty = view.totalDifficulty(parent.hash)! + hashed.header.difficulty
      this.inHand.add(keyOf(hashed.hash))
      // Before it is run, so that blocks propagate fast.
      this.sendToAll(hashed, totalDifficulty)
      this.importing = this.importing.then(() => this.run(hashed))
      return false
    })
    if (!isOrphan) return
    this.orphans.add(candidate)
    // The parent may be being imported; otherwise sync has to fetch it.
    if (!this.inHand.has(keyOf(parentHash)) && !this.orphans.has(parentHash)) this.parts.onGap()
  }

  private async run(checked: CheckedBlock): Promise<void> {
    const { header, hash, block } = checked
    try {
      await recoverSenders(block.transactions, this.parts.recover, this.parts.knownSender)
      // Run a few milliseconds at a time, so that the import has little left to do.
      if (equalBytes(this.parts.chain.head().hash, header.parentHash))
        await runInTurns(this.parts.chain.verify(checked), nextTurn)
      this.parts.chain.importBlock(checked)
      const totalDifficulty = this.parts.chain.read((view) => view.totalDifficulty(hash))!
      for (const peer of this.parts.peers.all())
        if (peer.knownBlocks.has(keyOf(hash))) peer.raiseHead({ hash, totalDifficulty, number: header.number })
      for (const child of this.orphans.childrenOf(hash)) this.take(child)
    } catch (error) {
      const level = error instanceof BlockError || error instanceof ChainError ? 'warn' : 'error'
      this.parts.log[level](
        { number: Number(header.number), error: String(error) },
        'block from a peer was not imported',
      )
    } finally {
      this.inHand.delete(keyOf(hash))
    }
  }

  private async fetch(peer: EthPeer, hash: Hash32): Promise<void> {
    const key = keyOf(hash)
    this.inHand.add(key)
    try {
      const [headers, bodies] = await Promise.all([
        peer.headers({ start: hash, count: 1, skip: 0, reverse: false }),
        peer.bodies([hash]),
      ])
      this.inHand.delete(key)
      const [hashed, body] = [headers[0], bodies[0]]
      if (!hashed || !body) peer.useless()
      else if (this.isNew(hash)) {
        const { header } = hashed
        this.take({
          header,
          hash,
          size: body.length,
          decode: () => ({ header, ...decodeBody(checkSparse(body)) }),
          blame: peer.useless,
        })
      }
    } catch (error) {
      this.inHand.delete(key)
      this.parts.log.debug({ error: String(error) }, 'announced block could not be fetched')
    }
  }

  readonly onNewBlock: BlockPropagation['onNewBlock'] = (peer, payload) => {
    const { header: sent, totalDifficulty, encoded } = decodeNewBlock(payload)
    const { header, hash } = identify(this.parts.consensus, sent)
    peer.knownBlocks.add(keyOf(hash))
    peer.raiseHead({ hash, totalDifficulty, number: header.number })
    // Every validator sends the same block: all copies but the first end here, with their bodies undecoded.
    if (!this.isNear(header.number) || !this.isNew(hash)) return
    // The memory of the message is reused after this call.
    const own = encoded.slice()
    this.take({
      header,
      hash,
      size: own.length,
      decode: () => ({ ...decodeBlock(checkSparse(own)), header }),
      blame: peer.useless,
    })
  }

  readonly onNewBlockHashes: BlockPropagation['onNewBlockHashes'] = (peer, payload) => {
    for (const { hash, number } of decodeNewBlockHashes(payload)) {
      peer.knownBlocks.add(keyOf(hash))
      peer.raiseNumber(number)
      if (!this.isNear(number)) continue
      const totalDifficulty = this.parts.chain.read((view) => view.totalDifficulty(hash))
      if (totalDifficulty !== undefined) peer.raiseHead({ hash, totalDifficulty, number })
      else if (peer.load() < maxLoad && this.isNew(hash)) void this.fetch(peer, hash)
    }
  }

  readonly broadcast: BlockPropagation['broadcast'] = (hashed, holders) => {
    const totalDifficulty = this.parts.chain.read((view) => view.totalDifficulty(hashed.hash))
    if (totalDifficulty !== undefined) this.sendToAll(hashed, totalDifficulty, holders)
  }

  readonly announceHead: BlockPropagation['announceHead'] = () => {
    const { head, totalDifficulty } = this.parts.chain.read((view) => {
      const { hash, header } = view.head
      // Of a head whose state was taken over only the header may be there.
      return {
        head: isHere(view, header.number) ? view.blockBy(hash) : undefined,
        totalDifficulty: view.totalDifficulty(hash)!,
      }
    })
    if (head) this.sendToAll(head, totalDifficulty)
  }

  readonly stop: BlockPropagation['stop'] = () => {
    this.end()
    return this.importing
  }
}

/**
 * A block is passed on as soon as its header is known to be valid, before it is run: otherwise each hop would cost as long as the block takes.
 * What is known, far from the head or without its parent costs no more than a look-up, because every validator sends every block. Starts
 * with the next head event.
 */
export function createBlockPropagation(parts: BlockPropagationParts): BlockPropagation {
  return new NewBlocks(parts)
}
