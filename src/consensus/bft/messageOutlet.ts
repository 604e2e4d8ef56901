import type { ToSign } from '../../keys/nodeIdentity.ts'
import type { Address } from '../../primitives/bytes.ts'
import { type BftEncoding, rewritten } from './messageEncoding.ts'
import type { PeerEncodings } from './peerEncodings.ts'
import type { BftProtocol } from './protocol.ts'
import { kindOf } from './readMessage.ts'

export interface MessageOutletParts {
  readonly protocol: BftProtocol
  /** Signs once more what is written in another encoding; maybe later, or not at all. */
  readonly sign: (what: ToSign, done: (signature: Uint8Array) => void) => void
  readonly encodings: Pick<PeerEncodings, 'to'>
  /** Validators of the height in progress. */
  readonly validators: () => readonly Address[]
  readonly send: (code: number, data: Uint8Array, to: (peer: Address) => boolean) => void
}

/** Sends messages to validators, to each in the encodings that it can read. */
export interface MessageOutlet {
  /** Sends what this validator has signed, or a round change of another. */
  own(code: number, data: Uint8Array, to: (peer: Address) => boolean): void
  /** Passes a message of another on; what that has signed stays as it is. */
  passOn(code: number, data: Uint8Array, to: (peer: Address) => boolean): void
}

export function createMessageOutlet({
  protocol,
  sign,
  encodings,
  validators,
  send,
}: MessageOutletParts): MessageOutlet {
  function write(code: number, data: Uint8Array, to: (peer: Address) => boolean, isOwn: boolean) {
    const kind = kindOf(protocol, code)
    if (kind !== 'proposal' && kind !== 'roundChange') {
      send(code, data, to)
      return
    }
    const wanted = [...new Set<BftEncoding>(validators().filter(to).flatMap(encodings.to))]
    const written = wanted.map((encoding) => rewritten(protocol, kind, data, encoding))
    // A peer that cannot read it is not helped by silence, and newer versions of Besu read both.
    const isWhole = (form: (typeof written)[number]) => form !== undefined && (isOwn || form instanceof Uint8Array)
    if (!written.every(isWhole)) {
      send(code, data, to)
      return
    }
    for (const [i, encoding] of wanted.entries()) {
      const post = (form: Uint8Array) => send(code, form, (peer) => to(peer) && encodings.to(peer).includes(encoding))
      const form = written[i]!
      if (form instanceof Uint8Array) post(form)
      else sign(form.what, (signature) => post(form.signed(signature)))
    }
  }

  return {
    own: (code, data, to) => write(code, data, to, true),
    passOn: (code, data, to) => write(code, data, to, false),
  }
}
