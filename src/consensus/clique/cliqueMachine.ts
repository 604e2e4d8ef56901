import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes, type Hash32, includesBytes } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList } from '../../primitives/rlp.ts'
import { type Block, decodeBlock, encodeBlock } from '../../types/block.ts'
import { createKeyCaution, silentPatience } from '../producing/keyCaution.ts'
import type { MachineEffect, MachineEvent } from '../producing/machineDriver.ts'
import { cliqueToSign } from './sealHash.ts'
import { withCliqueSeal } from './sealHeader.ts'
import { cliqueDifficulty, inTurn } from './turns.ts'

export interface CliqueTimer {
  readonly kind: 'block'
}

export type CliqueEvent = MachineEvent<CliqueTimer>
export type CliqueEffect = MachineEffect<CliqueTimer>

/** Request to build a block. */
export interface CliqueBlockPlan {
  readonly parent: HashedHeader
  readonly timestamp: bigint
  readonly difficulty: bigint
  /** Signers of the block, ascending. */
  readonly signers: readonly Address[]
}

export interface CliqueMachineParts {
  /** The local signer. */
  readonly address: Address
  readonly periodAfter: (head: HashedHeader) => number
  /** Builds and seals a block; undefined if none can be made, or if it would be empty and must not be. */
  readonly build: (plan: CliqueBlockPlan) => Block | undefined
  /** The key is elsewhere: what was built has no seal yet, which is asked for by an effect. */
  readonly sealsLater?: boolean
  /** Returns the signers of the next block, ascending. */
  readonly signersAfter: (head: HashedHeader) => readonly Address[]
  /** Whether this node signed one of the last blocks and may not sign the next one. */
  readonly mustWait: (head: HashedHeader, signers: number) => boolean
  /**
   * The number of the latest block up to a head, and after a number, that the key has signed on a parent that is not known; undefined if there is
   * none. Absent where whoever holds the key keeps a record of its own.
   */
  readonly findForeign?:
    | ((head: HashedHeader, after: bigint, knows: (parent: Hash32) => boolean) => bigint | undefined)
    | undefined
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
  /** The record persisted last; undefined if there is none. */
  readonly restored: Uint8Array | undefined
}

export interface CliqueMachine {
  /** `now` is in milliseconds since 1970. */
  handle(event: CliqueEvent, now: number): readonly CliqueEffect[]
  /** Whether a signature that was asked for would still be used. */
  awaits(id: number): boolean
}

/** A block that has no seal yet, and when to look again. */
interface Unsealed {
  readonly id: number
  readonly block: Block
  readonly again: Attempt
}

interface Attempt extends CliqueBlockPlan {
  /** Time at which the block is made. */
  readonly at: number
}

/** Milliseconds before a failed block is tried again. */
const retryAfter = 1000
/** Maximum random delay of out-of-turn signers, in milliseconds per half of the signers. */
const delayStep = 500

const timer: CliqueTimer = { kind: 'block' }

/** Signed blocks in a record, offered again after a reorg. Of earlier ones only the parents are kept. */
const maxBlocks = 4
const maxParents = 64

/** What this node signed, latest first. */
interface Signed {
  readonly blocks: readonly Block[]
  readonly parents: readonly Hash32[]
}

function encodeSigned({ blocks, parents }: Signed): Uint8Array {
  return encodeRlp([blocks.map(encodeBlock), [...parents]])
}

function decodeSigned(record: Uint8Array): Signed {
  const [blocks, parents] = rlpList(decodeRlp(record))
  return {
    blocks: rlpList(blocks).map((block) => decodeBlock(rlpBytes(block))),
    parents: rlpList(parents).map((parent) => rlpBytes(parent) as Hash32),
  }
}

function withBlock({ blocks, parents }: Signed, block: Block): Signed {
  const kept = [block, ...blocks].slice(0, maxBlocks)
  const dropped = blocks.slice(maxBlocks - 1).map(({ header }) => header.parentHash)
  return { blocks: kept, parents: [...dropped, ...parents].slice(0, maxParents) }
}

/** When this signer is to make the block on the head, and whether it may. */
class SignerMachine implements CliqueMachine {
  private readonly parts: CliqueMachineParts
  private signed: Signed
  private head: HashedHeader | undefined
  private attempt: Attempt | undefined
  private unsealed: Unsealed | undefined
  private lastId = 0
  private readonly caution: ReturnType<typeof createKeyCaution>
  private silence: CliqueEffect[] = []
  private isSilent = false

  constructor(parts: CliqueMachineParts) {
    this.parts = parts
    this.caution = createKeyCaution({
      random: parts.random,
      onSilence: (upTo, because) => void this.silence.push({ type: 'silence', upTo, because }),
    })
    this.signed = parts.restored ? decodeSigned(parts.restored) : { blocks: [], parents: [] }
  }

  private signedOn({ hash }: Pick<HashedHeader, 'hash'>) {
    return this.signed.blocks.find(({ header }) => equalBytes(header.parentHash, hash))
  }

  private hasSignedBeforeOn({ hash }: Pick<HashedHeader, 'hash'>) {
    return includesBytes(this.signed.parents, hash)
  }

  /** Whether the key has signed elsewhere. */
  private isSilentOn(head: HashedHeader): boolean {
    const knows = (hash: Hash32) => this.signedOn({ hash }) !== undefined || this.hasSignedBeforeOn({ hash })
    const find = (after: bigint) => this.parts.findForeign?.(head, after, knows)
    this.isSilent = this.caution.isSilentOn(head.header.number, this.parts.signersAfter(head).length, find)
    return this.isSilent
  }

  /** Says nothing on a head; if the chain stands still then, this signer may be what it waits for. */
  private keepSilent(head: HashedHeader): readonly CliqueEffect[] {
    this.attempt = undefined
    this.unsealed = undefined
    const told = this.silence.splice(0)
    return [...told, { type: 'timer', timer, due: { after: silentPatience(this.parts.periodAfter(head) * 1000) } }]
  }

  private onHead(head: HashedHeader, now: number): readonly CliqueEffect[] {
    this.head = head
    if (this.isSilentOn(head)) return this.keepSilent(head)
    return this.attempt && this.isStillWanted(this.attempt, head) ? this.wait(this.attempt) : this.begin(head, now)
  }

  private onTimer(now: number): readonly CliqueEffect[] {
    if (this.attempt) return this.finish(this.attempt, now)
    if (!this.isSilent) return []
    this.caution.relent()
    this.isSilent = false
    return this.begin(this.head!, now)
  }

  private earliest(head: HashedHeader, now: number): bigint {
    const { header } = head
    const due = header.timestamp + BigInt(this.parts.periodAfter(head))
    const second = BigInt(Math.floor(now / 1000))
    return due > second ? due : second
  }

  private delayOf({ difficulty, signers }: CliqueBlockPlan): number {
    if (difficulty === inTurn) return 0
    return 1 + Math.floor(this.parts.random() * Math.floor((signers.length / 2 + 1) * delayStep))
  }

  private begin(parent: HashedHeader, now: number): readonly CliqueEffect[] {
    this.attempt = undefined
    this.unsealed = undefined
    const signers = this.parts.signersAfter(parent)
    const difficulty = cliqueDifficulty(parent.header.number + 1n, this.parts.address, signers)
    if (difficulty === undefined) return []
    const plan = { parent, timestamp: this.earliest(parent, now), difficulty, signers }
    if (this.signedOn(parent)) return this.finish({ ...plan, at: now }, now)
    if (this.parts.mustWait(parent, signers.length) || (signers.length > 1 && this.hasSignedBeforeOn(parent))) return []
    return this.wait({ ...plan, at: Math.max(now, Number(plan.timestamp) * 1000) + this.delayOf(plan) })
  }

  private wait(next: Attempt): readonly CliqueEffect[] {
    this.attempt = next
    return [{ type: 'timer', timer, due: { at: next.at } }]
  }

  /** An in-turn signer still makes its block when another block of that height arrives: its own is heavier. */
  private isStillWanted({ parent, difficulty }: Attempt, { header }: HashedHeader): boolean {
    return difficulty === inTurn && equalBytes(header.parentHash, parent.hash) && !this.signedOn(parent)
  }

  /** Makes the block, or offers the one already signed on this parent. */
  private finish(plan: Attempt, now: number): readonly CliqueEffect[] {
    const again = { ...plan, timestamp: this.earliest(plan.parent, now + retryAfter), at: now + retryAfter }
    const before = this.signedOn(plan.parent)
    if (before) return [{ type: 'import', block: before }, ...this.wait(again)]
    if (this.unsealed) return this.wait(again)
    let block: Block | undefined
    try {
      block = this.parts.build(plan)
    } catch (error) {
      return [{ type: 'failure', error }, ...this.wait(again)]
    }
    if (!block) return this.head === plan.parent ? this.wait(again) : this.begin(this.head!, now)
    return this.parts.sealsLater ? this.askForSeal(block, again) : this.publish(block, again)
  }

  /** No other block is made on this parent, however long the seal takes. */
  private askForSeal(block: Block, again: Attempt): readonly CliqueEffect[] {
    const id = ++this.lastId
    this.unsealed = { id, block, again }
    return [{ type: 'sign', id, what: cliqueToSign(block.header) }, ...this.wait(again)]
  }

  private publish(block: Block, again: Attempt): readonly CliqueEffect[] {
    this.signed = withBlock(this.signed, block)
    return [{ type: 'persist', record: encodeSigned(this.signed) }, { type: 'import', block }, ...this.wait(again)]
  }

  private onSigned(id: number, seal: Uint8Array): readonly CliqueEffect[] {
    if (this.unsealed?.id !== id) return []
    const { block, again } = this.unsealed
    this.unsealed = undefined
    return this.publish({ ...block, header: withCliqueSeal(block.header, seal) }, again)
  }

  readonly awaits: CliqueMachine['awaits'] = (id) => this.unsealed?.id === id

  readonly handle: CliqueMachine['handle'] = (event, now) => {
    switch (event.type) {
      case 'head':
        return this.onHead(event.head, now)
      case 'timer':
        return this.onTimer(now)
      case 'signed':
        return this.onSigned(event.id, event.signature)
      case 'message':
      case 'link':
      case 'unlink':
        return []
    }
  }
}

/**
 * One signer of a Clique network as a pure state machine: events in, effects out. It never signs two blocks on the same
 * parent: with the record persisted last, a new machine offers the same block again, or none if the block is no longer
 * recorded. A sole signer is exempt from that, because its network would halt after a rollback.
 */
export function createCliqueMachine(parts: CliqueMachineParts): CliqueMachine {
  return new SignerMachine(parts)
}
