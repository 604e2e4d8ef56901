import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { BftKind, BftMessage, BftView, DigestPayload, RoundChangePayload, Signed } from './messages.ts'

type Payload = DigestPayload | RoundChangePayload

/** Something that was signed with the key of this validator. */
export interface ForeignWord extends BftView {
  readonly kind: BftKind
}

/** What this validator has signed since it runs, to distinguish it from what others sign with its key. */
export interface OwnWords {
  note(kind: BftKind, payload: Payload): void
  /** What is signed with this validator's key in a message of a height, and was not signed here; undefined if there is nothing. */
  foreignIn(message: BftMessage, height: bigint): ForeignWord | undefined
}

const remembered = 1024

function claimOf(payload: Payload): string {
  if ('digest' in payload) return keyOf(payload.digest)
  return payload.claim ? `${payload.claim.round} ${keyOf(payload.claim.digest)}` : ''
}

const placeOf = (kind: BftKind, { height, round }: BftView) => `${kind} ${height}/${round}`

/** All that is signed in a message: what its author says, and the words of others that justify it. */
function* wordsOf(message: BftMessage): Generator<readonly [BftKind, Signed<Payload>]> {
  yield [message.kind, message.signed]
  if (message.kind === 'prepare' || message.kind === 'commit') return
  if (message.kind === 'proposal') for (const change of message.roundChanges) yield ['roundChange', change]
  const certificates = message.kind === 'proposal' ? message.certificates : [message.certificate]
  for (const certificate of certificates) {
    if (certificate?.proposal) yield ['proposal', certificate.proposal]
    for (const prepare of certificate?.prepares ?? []) yield ['prepare', prepare]
  }
}

/** Nothing has been signed yet. */
export function createOwnWords(address: Address): OwnWords {
  const said = createRecentMap<string, string>(remembered)
  return {
    note: (kind, payload) => said.set(placeOf(kind, payload), claimOf(payload)),
    foreignIn(message, height) {
      for (const [kind, { author, payload }] of wordsOf(message)) {
        if (payload.height !== height || !equalBytes(author, address)) continue
        if (said.get(placeOf(kind, payload)) !== claimOf(payload)) return { kind, height, round: payload.round }
      }
      return undefined
    },
  }
}
