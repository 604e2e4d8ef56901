import type { RoundStatus } from '../consensus/producing/producer.ts'
import { type Address, equalBytes, includesBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { SyncStatus } from '../sync/syncStatus.ts'

/** What a node knows when blocks do not come. */
export interface StallSight {
  /** Undefined if the node is in sync. */
  readonly sync: SyncStatus | undefined
  /** The validators of the next block; empty if they are unknown. */
  readonly validators: readonly Address[]
  /** The address of the node's key. */
  readonly address: Address
  /** Undefined in Clique, and where this node is not a validator. */
  readonly round: RoundStatus | undefined
  /** The addresses of the nodes that are connected. */
  readonly connected: readonly Address[]
}

/** Why blocks do not come: a short name, a sentence with the names of fields, and the fields. */
export interface StallReason {
  readonly reason: string
  readonly sentence: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The validators that are not in a list, as text. */
export function missingFrom(validators: readonly Address[], heard: readonly Address[]): string[] {
  return validators.filter((validator) => !includesBytes(heard, validator)).map(toHex)
}

/** Finds the first reason why no block comes. */
export function explainStall(sight: StallSight): StallReason {
  const { sync, validators, address, round, connected } = sight
  if (sync) {
    const fields = { current: Number(sync.currentBlock), highest: Number(sync.highestBlock) }
    if (sync.stuck !== undefined) {
      const sentence = 'syncing stands still at {current} of {highest}: {cause}'
      return { reason: 'stuck', sentence, fields: { ...fields, cause: sync.stuck } }
    }
    return { reason: 'syncing', sentence: 'syncing stands still at {current} of {highest}', fields }
  }
  if (validators.length === 0)
    return {
      reason: 'validatorsUnknown',
      sentence: 'there are no validators, or they cannot be determined: see the extra data of the genesis file',
      fields: {},
    }
  if (validators.length > 1 && connected.length === 0)
    return { reason: 'noPeers', sentence: 'no peers are connected', fields: {} }
  if (!includesBytes(validators, address)) {
    const sentence = 'this node is not a validator, and its peers have not sent a block'
    return { reason: 'notAValidator', sentence, fields: {} }
  }
  return round ? explainRound(round, validators) : explainSigners(sight)
}

function explainRound(status: RoundStatus, validators: readonly Address[]): StallReason {
  const heard = status.heard()
  const fields = {
    round: status.round,
    heard: heard.length,
    needed: status.quorum,
    missing: missingFrom(validators, heard),
  }
  if (heard.length < status.quorum) {
    const sentence = 'round {round}: {heard} of {needed} needed validators heard, waiting for {missing}'
    return { reason: 'noQuorum', sentence, fields }
  }
  return { reason: 'noAgreement', sentence: 'round {round}: {heard} validators heard, but they do not agree', fields }
}

function explainSigners({ validators, address, connected }: StallSight): StallReason {
  const present = validators.filter(
    (validator) => equalBytes(validator, address) || includesBytes(connected, validator),
  )
  const needed = Math.floor(validators.length / 2) + 1
  const fields = { heard: present.length, needed, missing: missingFrom(validators, present) }
  if (present.length < needed) {
    const sentence = '{heard} of {needed} needed validators connected, waiting for {missing}'
    return { reason: 'noQuorum', sentence, fields }
  }
  return { reason: 'noAgreement', sentence: '{heard} validators connected, but none makes a block', fields }
}
