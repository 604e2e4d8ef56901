import type { Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { type Agreement, findAgreement } from './agreement.ts'
import { ckm } from './constants.ts'
import { TokenError } from './fault.ts'
import { findKey } from './findKey.ts'
import { openSession, type Session, type TokenPlace } from './session.ts'
import { publicKeyOf, withLowS, withParity } from './signature.ts'
import { copyOf, mechanism, readBytes } from './structures.ts'

export interface KeyPlace extends TokenPlace {
  /** Of the private key in the token. */
  readonly label: string
  /** Whether secrets are agreed on with it, as handshakes of peers need it. */
  readonly agrees: boolean
}

/** Longer than a signature of any curve. */
const maxSignature = 256

/** Signed to see whose key it is, and whether it can be used still: texts that nobody takes for anything else. */
const trials = [1, 2].map((n) => keccak256(Buffer.from(`Which key is this? Question ${n} of Quoin to a token.`)))

/** A key in a token, in the process that calls the library: all calls block. */
export class TokenSigner {
  private readonly session: Session
  private readonly key: bigint
  private readonly agreement: Agreement | undefined
  readonly publicKey: Uint8Array

  private constructor(session: Session, { label, agrees }: KeyPlace) {
    this.session = session
    this.key = findKey(session, label)
    const [first, second] = trials.map((digest) => ({ digest, rs: this.signRaw(digest) }))
    const publicKey = publicKeyOf(first!, second!)
    if (!publicKey) throw new TokenError({ code: 'UNFIT', label, reason: 'it is not a key of secp256k1' })
    this.publicKey = publicKey
    if (agrees) this.agreement = findAgreement(session, this.key, { label, publicKey })
  }

  /** Throws a `TokenError`, or a `KeyError` of the file with the PIN. */
  static async open(place: KeyPlace): Promise<TokenSigner> {
    return new TokenSigner(await openSession(place), place)
  }

  private signRaw(digest: Uint8Array): Uint8Array {
    const { library, handle } = this.session
    library.call('C_SignInit', handle, mechanism(library, ckm.ecdsa), this.key)
    const data = copyOf(digest)
    return withLowS(
      readBytes(maxSignature, (bytes, length) => library.call('C_Sign', handle, data, data.length, bytes, length)),
    )
  }

  /** r, the lower s, and the parity of R's y coordinate. */
  sign(digest: Hash32): Uint8Array {
    const signature = withParity(digest, this.signRaw(digest), this.publicKey)
    if (signature) return signature
    throw new TokenError({ code: 'CALL_FAILED', call: 'C_Sign', name: 'a signature of another key' })
  }

  /** The x coordinate of the point that is shared with the owner of a public key. */
  agree(publicKey: Uint8Array): Uint8Array {
    return this.agreement!.with(publicKey)
  }

  /** Whether what failed is a matter of the one request, and not of the token. */
  isAlive(): boolean {
    try {
      this.sign(trials[0]!)
      return true
    } catch {
      return false
    }
  }
}
