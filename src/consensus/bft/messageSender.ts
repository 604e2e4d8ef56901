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
import { messageToSign } from './messageToSign.ts'
import type { OwnWords } from './ownWords.ts'
import { encodeCommitPayload, encodeDigestPayload, encodeSigned } from './payloads.ts'
import type { ProposedBlock } from './proposedBlock.ts'
import type { Signing } from './signing.ts'

/**
 * Signs and sends this validator's messages of a height, and keeps each in its round. `then` is called when that is done: at once, or
 * when the signature comes, if the round is in progress still.
 */
export interface MessageSender {
  propose(
    round: BftRound,
    block: ProposedBlock,
    changes: readonly RoundChangeMessage[],
    from: PreparedBlock | undefined,
    then: (signed: Signed<DigestPayload>) => void,
  ): void
  prepare(round: BftRound, digest: Hash32, then: (signed: Signed<DigestPayload>) => void): void
  commit(round: BftRound, digest: Hash32, seal: Uint8Array, then: () => void): void
  changeRound(round: BftRound, prepared: PreparedBlock | undefined, then: (change: RoundChangeMessage) => void): void
  /** Sends a message again, to all validators or to one. */
  resend(message: OwnMessage, to?: Address): void
  /** Sends the round change of another to one that may lack it. */
  passOn(change: RoundChangeMessage, to: Address): void
  /** Whether a round is in progress still. */
  isCurrent(round: BftRound): boolean
  /** The record is to be written before what follows. */
  keepRecord(): void
  /** Whether anything was signed since this was asked last, or is to be kept. */
  takeHasSigned(): boolean
}

type MessageSenderParts = Pick<BftMachineParts, 'protocol' | 'address'> & {
  readonly signing: Pick<Signing, 'sign'>
  readonly words: Pick<OwnWords, 'note'>
  /** Whether a round is in progress still. */
  readonly isCurrent: (round: BftRound) => boolean
}

export function createMessageSender(
  { protocol, signing, address, words, isCurrent }: MessageSenderParts,
  height: bigint,
  emit: (effect: BftEffect) => void,
): MessageSender {
  const { codes } = protocol
  let hasSigned = false

  function sign<P extends DigestPayload | RoundChangePayload>(
    kind: BftKind,
    round: BftRound,
    payload: P,
    encoded: Uint8Array,
    then: (signed: Signed<P>) => void,
  ): void {
    words.note(kind, payload)
    signing.sign(
      messageToSign(protocol, codes[kind], encoded),
      () => isCurrent(round),
      (signature) => then({ payload, author: address, bytes: encodeSigned(encoded, signature) }),
    )
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
    propose(round, block, changes, from, then) {
      const payload = { height, round: round.number, digest: block.digest }
      sign('proposal', round, payload, protocol.encodeProposalPayload(payload, block), (signed) => {
        const justification = changes.map((change) => change.signed.bytes)
        keepAndSend(round, 'proposal', protocol.encodeProposal(signed.bytes, block, justification, from?.certificate))
        then(signed)
      })
    },
    prepare(round, digest, then) {
      const payload = { height, round: round.number, digest }
      sign('prepare', round, payload, encodeDigestPayload(protocol, payload), (signed) => {
        keepAndSend(round, 'prepare', signed.bytes)
        then(signed)
      })
    },
    commit(round, digest, seal, then) {
      const payload = { height, round: round.number, digest, seal }
      sign('commit', round, payload, encodeCommitPayload(protocol, payload), ({ bytes }) => {
        // From now on the certificate contains what these say, so the record need not hold the block twice.
        round.own.delete('proposal')
        round.own.delete('roundChange')
        keepAndSend(round, 'commit', bytes)
        then()
      })
    },
    changeRound(round, prepared, then) {
      const { block, certificate } = prepared ?? { block: undefined, certificate: undefined }
      const payload = { height, round: round.number, claim: certificate }
      sign('roundChange', round, payload, protocol.encodeRoundChangePayload(payload, certificate), (signed) => {
        keepAndSend(round, 'roundChange', protocol.encodeRoundChange(signed.bytes, prepared))
        then({ kind: 'roundChange', signed, block, certificate })
      })
    },
    resend,
    passOn({ signed, block, certificate }, to) {
      const prepared = block && certificate && { block, certificate }
      resend({ code: codes.roundChange, data: protocol.encodeRoundChange(signed.bytes, prepared) }, to)
    },
    isCurrent,
    keepRecord() {
      hasSigned = true
    },
    takeHasSigned() {
      const taken = hasSigned
      hasSigned = false
      return taken
    },
  }
}
