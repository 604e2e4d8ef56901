import { toHex } from '../primitives/hex.ts'
import type { BftWord, Claim } from './claim.ts'
import { KeyServerError } from './fault.ts'

/** The latest round in which something was signed, of the latest height. */
export interface BftSigned {
  readonly height: bigint
  readonly round: number
  readonly said: Readonly<Partial<Record<BftWord, string>>>
  /** The last round of this height in which a block was committed to. */
  readonly committed: number | undefined
}

/** A block that was sealed in Clique. */
export interface CliqueSigned {
  readonly number: bigint
  readonly parent: string
  readonly hash: string
  /** The seal that was given out, where another signature of the same block would be another one. */
  readonly seal?: string
}

/** What was signed with a key, as far as it decides what may still be signed. */
export interface KeyRecord {
  /** Nothing is signed at this height or below. */
  readonly closed: bigint
  readonly bft: BftSigned | undefined
  /** The last ones, latest first. */
  readonly clique: readonly CliqueSigned[]
}

/** A record for a key that has signed nothing after a height. */
export function createKeyRecord(closed: bigint): KeyRecord {
  return { closed, bft: undefined, clique: [] }
}

/** Parents remembered: forks of Clique are shorter. */
const maxParents = 256

/**
 * The record after signing; the same one if nothing new is said. Throws on what contradicts the record, or might. Time plays no part: only
 * what was signed does.
 */
export function decide(record: KeyRecord, claim: Claim): KeyRecord {
  switch (claim.type) {
    case 'free':
      return record
    case 'bft':
      return decideBft(record, claim)
    case 'clique':
      return decideClique(record, claim)
  }
}

function refused(reason: string): KeyServerError {
  return new KeyServerError({ code: 'CONTRADICTION', reason })
}

const names: Readonly<Record<BftWord, string>> = { vote: 'vote', seal: 'seal', roundChange: 'round change' }

type BftClaim = Claim & { readonly type: 'bft' }

function decideBft(record: KeyRecord, claim: BftClaim): KeyRecord {
  const { height, round, word, value } = claim
  const place = `height ${height}, round ${round}`
  if (height <= record.closed) throw refused(`${place}: nothing is signed up to height ${record.closed}`)
  const before = record.bft
  if (before && (height < before.height || (height === before.height && round < before.round)))
    throw refused(`${place}: height ${before.height}, round ${before.round} is signed already`)
  const sameHeight = before?.height === height ? before : undefined
  const said = sameHeight?.round === round ? sameHeight.said : {}
  const earlier = said[word]
  if (earlier !== undefined && earlier !== value)
    throw refused(`${place}: another ${names[word]} is signed already: ${earlier}, not ${value}`)
  const committed = sameHeight?.committed
  // Whoever has committed to a block says so in all later rounds: others may have finished it.
  const forgets = committed !== undefined && (claim.preparedRound ?? -1) < committed
  if (word === 'roundChange' && earlier === undefined && forgets)
    throw refused(`${place}: the round change leaves out the block that was committed to in round ${committed}`)
  const commits = claim.commits ? round : committed
  if (earlier !== undefined && commits === committed) return record
  return { ...record, bft: { height, round, said: { ...said, [word]: value }, committed: commits } }
}

/** In Clique there are no rounds: what may not be signed is a second block on one parent. */
function decideClique(record: KeyRecord, claim: Claim & { readonly type: 'clique' }): KeyRecord {
  const { number } = claim
  const [parent, hash] = [toHex(claim.parent), toHex(claim.hash)]
  const before = record.clique.find((signed) => signed.parent === parent)
  if (before?.hash === hash) return record
  if (before) throw refused(`block ${number}: block ${before.hash} is signed already on ${parent}`)
  if (number <= record.closed) throw refused(`block ${number}: nothing is signed up to height ${record.closed}`)
  const all = [{ number, parent, hash }, ...record.clique]
  // A parent that is forgotten must not be signed on again: its height is closed instead.
  const closed = all
    .slice(maxParents)
    .reduce((max, signed) => (signed.number > max ? signed.number : max), record.closed)
  return { ...record, closed, clique: all.slice(0, maxParents) }
}

/** The record after a block of Clique has got its seal. The first one stays: it is part of the block, and of its hash. */
export function keepSeal(record: KeyRecord, hash: string, seal: string): KeyRecord {
  const keep = (signed: CliqueSigned) =>
    signed.hash === hash && signed.seal === undefined ? { ...signed, seal } : signed
  return { ...record, clique: record.clique.map(keep) }
}

/** The seal that a block of Clique has got; undefined if none is known. */
export function sealOf(record: KeyRecord, hash: string): string | undefined {
  return record.clique.find((signed) => signed.hash === hash)?.seal
}
