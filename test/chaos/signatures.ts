import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createBftReader } from '../../src/consensus/bft/bftReader.ts'
import type { BftMessage } from '../../src/consensus/bft/messages.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { kindOf, readMessage } from '../../src/consensus/bft/readMessage.ts'
import { recoverSigner } from '../../src/consensus/recoverSeal.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'

/** What validators signed, and where one signed two things of which only one can be meant. */
export interface SignatureReport {
  readonly messages: number
  readonly conflicts: readonly string[]
}

/** Reads what all nodes said: of each author, height and round there may be one digest of each kind of vote. */
export async function compareSignatures(protocol: BftProtocol, files: readonly string[]): Promise<SignatureReport> {
  const reader = createBftReader(protocol, { recover: recoverSigner })
  const votes = new Map<string, string>()
  const seen = new Set<string>()
  const conflicts: string[] = []

  function judge(message: BftMessage): void {
    if (message.kind === 'roundChange') return
    const { author, payload } = message.signed
    const place = `${message.kind} of ${toHex(author)} at height ${payload.height}, round ${payload.round}`
    const digest = toHex(payload.digest)
    const known = votes.get(place)
    if (known === undefined) votes.set(place, digest)
    else if (known !== digest) conflicts.push(`${place}: ${known} and ${digest}`)
  }

  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file) })) {
      // A line without a space at its end was being written when the node was killed: it was not sent.
      const [code, data, end] = line.split(' ')
      if (end === undefined) continue
      const bytes = Buffer.from(data!, 'base64')
      const hash = Buffer.from(keccak256(bytes)).toString('base64')
      const kind = kindOf(protocol, Number(code))
      if (!kind || seen.has(hash)) continue
      seen.add(hash)
      judge(readMessage(protocol, kind, bytes, reader))
    }
  return { messages: seen.size, conflicts }
}
