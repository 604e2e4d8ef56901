import type { Address } from '../../primitives/bytes.ts'
import type { BftCrypto } from './machine.ts'
import { type BftEncoding, inEncoding } from './messageEncoding.ts'
import type { PeerEncodings } from './peerEncodings.ts'
import type { BftProtocol } from './protocol.ts'
import { kindOf } from './readMessage.ts'

export interface MessageOutletParts {
  readonly protocol: BftProtocol
  readonly sign: BftCrypto['sign']
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
  function write(code: number, data: Uint8Array, to: (peer: Address) => boolean, signer: typeof sign | undefined) {
    const kind = kindOf(protocol, code)
    if (kind !== 'proposal' && kind !== 'roundChange') {
      send(code, data, to)
      return
    }
    const wanted = [...new Set<BftEncoding>(validators().filter(to).flatMap(encodings.to))]
    const written = wanted.map((encoding) => inEncoding(protocol, kind, data, encoding, signer))
    // A peer that cannot read it is not helped by silence, and newer versions of Besu read both.
    if (written.includes(undefined)) {
      send(code, data, to)
      return
    }
    for (const [i, encoding] of wanted.entries())
      send(code, written[i]!, (peer) => to(peer) && encodings.to(peer).includes(encoding))
  }

  return {
    own: (code, data, to) => write(code, data, to, sign),
    passOn: (code, data, to) => write(code, data, to, undefined),
  }
}
