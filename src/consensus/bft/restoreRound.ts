import { keyOf, never } from '../../primitives/bytes.ts'
import type { BftHeightParts } from './bftHeight.ts'
import type { BftRecord } from './bftRecord.ts'
import { type BftRound, setProposal } from './bftRound.ts'
import type { MessageSender } from './messageSender.ts'
import type { BftMessage, RoundChangeMessage } from './messages.ts'
import { kindOf, readMessage } from './readMessage.ts'

/** What a round is restored with. */
export interface RestoreParts extends Pick<BftHeightParts, 'parts' | 'reader'> {
  readonly resend: MessageSender['resend']
  readonly addRoundChange: (message: RoundChangeMessage) => unknown
}

/** Puts what this validator said in a round before a restart back into it, and sends it again. */
export function restoreRound(current: BftRound, record: BftRecord, parts: RestoreParts): void {
  const { protocol } = parts.parts
  const { prepared } = record
  current.voted = record.digest
  if (prepared?.certificate.round === current.number) {
    setProposal(current, protocol, prepared.block, prepared.certificate.proposal)
    current.isPrepared = record.messages.some(({ code }) => code === protocol.codes.commit)
    // It was prepared, and the signature of the commit did not come: it is committed to once more.
    if (!current.isPrepared)
      for (const prepare of prepared.certificate.prepares) current.prepares.set(keyOf(prepare.author), prepare)
  }
  for (const message of record.messages) {
    const kind = kindOf(protocol, message.code)
    if (!kind) continue
    current.own.set(kind, message)
    restoreMessage(current, readMessage(protocol, kind, message.data, parts.reader), parts)
    parts.resend(message)
  }
}

function restoreMessage(current: BftRound, message: BftMessage, { parts, addRoundChange }: RestoreParts): void {
  const { protocol, address } = parts
  switch (message.kind) {
    case 'proposal':
      setProposal(current, protocol, message.block, message.signed)
      break
    case 'prepare':
      current.prepares.set(keyOf(address), message.signed)
      break
    case 'commit':
      current.seals.set(keyOf(address), message.signed.payload.seal)
      break
    case 'roundChange':
      addRoundChange(message)
      break
    default:
      never(message)
  }
}
