import { createBftReader } from '../../src/consensus/bft/bftReader.ts'
import type { BftMessage } from '../../src/consensus/bft/messages.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { kindOf, readMessage } from '../../src/consensus/bft/readMessage.ts'
import { recoverSigner } from '../../src/consensus/recoverSeal.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Parcel } from './localValidators.ts'

/** What somebody has signed, on what: of each place there may be one word. */
export interface Word {
  readonly place: string
  readonly word: string
}

/** All that a message says of its author: a round change says which block it goes on with, a commit has a seal as well. */
export function wordsOfMessage({ kind, signed: { author, payload } }: BftMessage): readonly Word[] {
  const place = `${kind} of ${toHex(author)} at height ${payload.height}, round ${payload.round}`
  if ('digest' in payload) return [{ place, word: toHex(payload.digest) }]
  const { claim } = payload
  return [{ place, word: claim ? `${claim.round} ${toHex(claim.digest)}` : 'nothing prepared' }]
}

/** Collects words; what contradicts an earlier one is a line. */
export class WireWords {
  private readonly known = new Map<string, string>()
  readonly contradictions: string[] = []

  add({ place, word }: Word): void {
    const before = this.known.get(place)
    if (before === undefined) this.known.set(place, word)
    else if (before !== word) this.contradictions.push(`${place}: ${before} and ${word}`)
  }

  get size(): number {
    return this.known.size
  }
}

/** Where those who sent these have signed two things of which only one can be meant. Without a protocol, blocks of Clique are looked at. */
export function contradictionsIn(sent: readonly Parcel[], protocol: BftProtocol | undefined): readonly string[] {
  const words = new WireWords()
  const reader = protocol && createBftReader(protocol, { recover: recoverSigner })
  for (const { from, content } of sent) {
    if ('block' in content) {
      const { header, hash } = content.block
      if (!protocol) words.add({ place: `block of ${toHex(from)} on ${toHex(header.parentHash)}`, word: toHex(hash) })
    } else if (reader) {
      const message = readMessage(protocol!, kindOf(protocol!, content.code)!, content.data, reader)
      for (const word of wordsOfMessage(message)) words.add(word)
    }
  }
  if (words.size === 0) throw new Error('nothing was signed')
  return words.contradictions
}
