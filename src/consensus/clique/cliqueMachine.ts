import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList } from '../../primitives/rlp.ts'
import { type Block, decodeBlock, encodeBlock } from '../../types/block.ts'
import type { MachineEffect, MachineEvent } from '../producing/machineDriver.ts'
import { cliqueDifficulty, inTurn } from './turns.ts'

export interface CliqueTimer {
  readonly kind: 'block'
}

export type CliqueEvent = MachineEvent<CliqueTimer>
export type CliqueEffect = MachineEffect<CliqueTimer>

/** What is asked of whoever builds a block. */
export interface CliqueBlockPlan {
  readonly parent: HashedHeader
  readonly timestamp: bigint
  readonly difficulty: bigint
  /** Who may sign the block, ascending. */
  readonly signers: readonly Address[]
}

export interface CliqueMachineParts {
  /** The local node's. */
  readonly address: Address
  readonly blockPeriodSeconds: number
  /** A new block with this node's seal; undefined when it would be empty and must not be, or when none can be made. */
  readonly build: (plan: CliqueBlockPlan) => Block | undefined
  /** Who may sign the block after this one, ascending. */
  readonly signersAfter: (head: HashedHeader) => readonly Address[]
  /** Whether this node made one of the last blocks and must let others make the one after this. */
  readonly mustWait: (head: HashedHeader, signers: number) => boolean
  /** From 0 to 1, 1 not included. */
  readonly random: () => number
  /** The record persisted last; undefined when there was none. */
  readonly restored: Uint8Array | undefined
}

export interface CliqueMachine {
  /** `now` is in milliseconds since 1970. */
  handle(event: CliqueEvent, now: number): readonly CliqueEffect[]
}

interface Attempt extends CliqueBlockPlan {
  /** When the block is to be made. */
  readonly at: number
}

/** Milliseconds after which what could not be done is tried again. */
const retryAfter = 1000
/** Milliseconds per signer beyond half of them by which those out of turn may be late at most. */
const delayStep = 500

const timer: CliqueTimer = { kind: 'block' }

/** Blocks that a record holds: a signer that falls back offers them again. Of those before them it holds the parents. */
const maxBlocks = 4
const maxParents = 64

/** What was signed, the latest first. */
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

/**
 * One signer of a Clique network, without clock, network and disk: events in, effects out. It signs one block on a
 * parent, ever: given back the record that was persisted last, a new machine offers the same block again, or, where
 * that was long ago, none. Only a signer who is alone may, or its network would stand still after a step back.
 */
export function createCliqueMachine(parts: CliqueMachineParts): CliqueMachine {
  const { address, blockPeriodSeconds, build, signersAfter, mustWait, random, restored } = parts
  let signed: Signed = restored ? decodeSigned(restored) : { blocks: [], parents: [] }
  let head: HashedHeader | undefined
  let attempt: Attempt | undefined

  const signedOn = ({ hash }: HashedHeader) => signed.blocks.find(({ header }) => equalBytes(header.parentHash, hash))
  const hasSignedBeforeOn = ({ hash }: HashedHeader) => signed.parents.some((parent) => equalBytes(parent, hash))

  function earliest({ header }: HashedHeader, now: number): bigint {
    const due = header.timestamp + BigInt(blockPeriodSeconds)
    const second = BigInt(Math.floor(now / 1000))
    return due > second ? due : second
  }

  function delayOf({ difficulty, signers }: CliqueBlockPlan): number {
    if (difficulty === inTurn) return 0
    return 1 + Math.floor(random() * Math.floor((signers.length / 2 + 1) * delayStep))
  }

  function begin(parent: HashedHeader, now: number): readonly CliqueEffect[] {
    attempt = undefined
    const signers = signersAfter(parent)
    const difficulty = cliqueDifficulty(parent.header.number + 1n, address, signers)
    if (difficulty === undefined) return []
    const plan = { parent, timestamp: earliest(parent, now), difficulty, signers }
    if (signedOn(parent)) return finish({ ...plan, at: now }, now)
    if (mustWait(parent, signers.length) || (signers.length > 1 && hasSignedBeforeOn(parent))) return []
    return wait({ ...plan, at: Math.max(now, Number(plan.timestamp) * 1000) + delayOf(plan) })
  }

  function wait(next: Attempt): readonly CliqueEffect[] {
    attempt = next
    return [{ type: 'timer', timer, at: next.at }]
  }

  /** Whoever is in turn goes on when another's block of the same height comes first: its own will weigh more. */
  function isStillWanted({ parent, difficulty }: Attempt, { header }: HashedHeader): boolean {
    return difficulty === inTurn && equalBytes(header.parentHash, parent.hash) && !signedOn(parent)
  }

  /** Makes the block, or offers again the one that was signed on this parent. */
  function finish(plan: Attempt, now: number): readonly CliqueEffect[] {
    const again = { ...plan, timestamp: earliest(plan.parent, now + retryAfter), at: now + retryAfter }
    const before = signedOn(plan.parent)
    if (before) return [{ type: 'import', block: before }, ...wait(again)]
    const block = build(plan)
    if (block) {
      signed = withBlock(signed, block)
      return [{ type: 'persist', record: encodeSigned(signed) }, { type: 'import', block }, ...wait(again)]
    }
    return head === plan.parent ? wait(again) : begin(head!, now)
  }

  return {
    handle(event, now) {
      switch (event.type) {
        case 'head':
          head = event.head
          return attempt && isStillWanted(attempt, head) ? wait(attempt) : begin(head, now)
        case 'timer':
          return attempt ? finish(attempt, now) : []
        case 'message':
          return []
      }
    },
  }
}
