import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { OwnMessage } from './bftRecord.ts'
import type { BftRound } from './bftRound.ts'
import type { BftEffect, BftMachineParts } from './machine.ts'
import type {
  BftKind,
  DigestPayload,
  PreparedBlock,
  RoundChangeMessage,
  RoundChangePayload,
  Signed,
} from './messages.ts'
import type { OwnWords } from './ownWords.ts'
import { encodeCommitPayload, encodeDigestPayload, encodeSigned } from './payloads.ts'
import type { ProposedBlock } from './proposedBlock.ts'

/** Signs and sends this validator's messages of a height, and keeps each in its round. */
export interface MessageSender {
  propose(
    round: BftRound,
    block: ProposedBlock,
    changes: readonly RoundChangeMessage[],
    from: PreparedBlock | undefined,
  ): Signed<DigestPayload>
  prepare(round: BftRound, digest: Hash32): Signed<DigestPayload>
  commit(round: BftRound, digest: Hash32, seal: Uint8Array): void
  changeRound(round: BftRound, prepared: PreparedBlock | undefined): RoundChangeMessage
  /** Sends a message again, to all validators or to one. */
  resend(message: OwnMessage, to?: Address): void
  /** Sends the round change of another to one that may lack it. */
  passOn(change: RoundChangeMessage, to: Address): void
  /** Whether anything was signed since this was asked last. */
  takeHasSigned(): boolean
}

type MessageSenderParts = Pick<BftMachineParts, 'protocol' | 'crypto' | 'address'> & {
  readonly words: Pick<OwnWords, 'note'>
}

export function createMessageSender(
  { protocol, crypto, address, words }: MessageSenderParts,
  height: bigint,
  emit: (effect: BftEffect) => void,
): MessageSender {
  const { codes } = protocol
  let hasSigned = false

  function sign<P extends DigestPayload | RoundChangePayload>(
    kind: BftKind,
    payload: P,
    encoded: Uint8Array,
  ): Signed<P> {
    words.note(kind, payload)
    const signature = crypto.sign(protocol.signingDigest(codes[kind], encoded))
    return { payload, author: address, bytes: encodeSigned(encoded, signature) }
  }

  function resend({ code, data }: OwnMessage, to?: Address): void {
    emit(to ? { type: 'send', code, data, to } : { type: 'send', code, data })
  }

  function keepAndSend({ own }: BftRound, kind: BftKind, data: Uint8Array): void {
    const message = { code: codes[kind], data }
    own.set(kind, message)
    hasSigned = true
    resend(message)
  }

  return {
    propose(round, block, changes, from) {
      const payload = { height, round: round.number, digest: block.digest }
      const signed = sign('proposal', payload, protocol.encodeProposalPayload(payload, block))
      const justification = changes.map((change) => change.signed.bytes)
      keepAndSend(round, 'proposal', protocol.encodeProposal(signed.bytes, block, justification, from?.certificate))
      return signed
    },
    prepare(round, digest) {
      const payload = { height, round: round.number, digest }
      const signed = sign('prepare', payload, encodeDigestPayload(protocol, payload))
      keepAndSend(round, 'prepare', signed.bytes)
      return signed
    },
    commit(round, digest, seal) {
      // From now on the certificate contains what these say, so the record need not hold the block twice.
      round.own.delete('proposal')
      round.own.delete('roundChange')
      const payload = { height, round: round.number, digest, seal }
      keepAndSend(round, 'commit', sign('commit', payload, encodeCommitPayload(protocol, payload)).bytes)
    },
    changeRound(round, prepared) {
      const { block, certificate } = prepared ?? { block: undefined, certificate: undefined }
      const payload = { height, round: round.number, claim: certificate }
      const signed = sign('roundChange', payload, protocol.encodeRoundChangePayload(payload, certificate))
      keepAndSend(round, 'roundChange', protocol.encodeRoundChange(signed.bytes, prepared))
      return { kind: 'roundChange', signed, block, certificate }
    },
    resend,
    passOn({ signed, block, certificate }, to) {
      const prepared = block && certificate && { block, certificate }
      resend({ code: codes.roundChange, data: protocol.encodeRoundChange(signed.bytes, prepared) }, to)
    },
    takeHasSigned() {
      const taken = hasSigned
      hasSigned = false
      return taken
    },
  }
}
