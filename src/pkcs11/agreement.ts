import { concatBytes, equalBytes } from '../primitives/bytes.ts'
import { curve } from '../primitives/secp256k1.ts'
import { cka, ckk, ckm, cko } from './constants.ts'
import { TokenError } from './fault.ts'
import type { Session } from './session.ts'
import { attributes, ecdhParameters, mechanism, readBytes } from './structures.ts'

// A handshake needs the x coordinate of a shared point outside of the token. Tokens differ in how they take the point of the other side, and some
// never show a secret: those encrypt it with another key of theirs, and decrypt that again as if it were data.

type Encoding = 'raw' | 'DER'
type Exit = 'read' | 'wrapped'

/** How a token agrees on secrets. */
export interface AgreementWay {
  readonly encoding: Encoding
  readonly exit: Exit
}

export const agreementWays: readonly AgreementWay[] = (['read', 'wrapped'] as const).flatMap((exit) =>
  (['raw', 'DER'] as const).map((encoding) => ({ encoding, exit })),
)

const secretLength = 32
const maxSecret = 256
/** What begins an OCTET STRING of 65 bytes, and an uncompressed point. */
const [octetString, uncompressed] = [Uint8Array.of(4, 65), Uint8Array.of(4)]

function encodePoint(publicKey: Uint8Array, encoding: Encoding): Uint8Array {
  const point = concatBytes(uncompressed, publicKey)
  return encoding === 'raw' ? point : concatBytes(octetString, point)
}

/** Agrees on secrets with a private key in a token. */
export class Agreement {
  private readonly session: Session
  private readonly key: bigint
  readonly way: AgreementWay
  /** A key of this session that wraps secrets. */
  private wrapping: bigint | undefined

  constructor(session: Session, key: bigint, way: AgreementWay) {
    this.session = session
    this.key = key
    this.way = way
  }

  /** The x coordinate of the shared point. */
  with(publicKey: Uint8Array): Uint8Array {
    const { library, handle } = this.session
    const secret = this.derive(encodePoint(publicKey, this.way.encoding))
    try {
      const bytes = this.way.exit === 'read' ? this.read(secret) : this.unwrap(secret)
      if (bytes.length === secretLength) return bytes
      throw new TokenError({ code: 'CALL_FAILED', call: 'C_DeriveKey', name: `a secret of ${bytes.length} bytes` })
    } finally {
      library.call('C_DestroyObject', handle, secret)
    }
  }

  private derive(point: Uint8Array): bigint {
    const { library, handle } = this.session
    const how = mechanism(library, ckm.ecdh, ecdhParameters(library, point))
    const template = [
      [cka.class, cko.secretKey],
      [cka.keyType, ckk.genericSecret],
      [cka.token, false],
      [cka.sensitive, this.way.exit === 'wrapped'],
      [cka.extractable, true],
      [cka.valueLength, secretLength],
    ] as const
    const wanted = attributes(library, template)
    const secret = new BigUint64Array(1)
    library.call('C_DeriveKey', handle, how, this.key, wanted, template.length, secret)
    return secret[0]!
  }

  private read(secret: bigint): Uint8Array {
    const { library, handle } = this.session
    const value = Buffer.alloc(maxSecret)
    const attribute = BigUint64Array.of(BigInt(cka.value), library.addressOf(value), BigInt(maxSecret))
    library.call('C_GetAttributeValue', handle, secret, attribute, 1)
    return taken(value.subarray(0, Number(attribute[2])))
  }

  private unwrap(secret: bigint): Uint8Array {
    const { library, handle } = this.session
    this.wrapping ??= this.makeWrappingKey()
    const wrapping = this.wrapping
    // The cipher text goes from one call to the next, and nowhere else.
    const how = mechanism(library, ckm.aesCbc, Buffer.alloc(16))
    const wrapped = readBytes(maxSecret, (bytes, length) =>
      library.call('C_WrapKey', handle, how, wrapping, secret, bytes, length),
    )
    library.call('C_DecryptInit', handle, how, wrapping)
    return taken(
      readBytes(maxSecret, (bytes, length) =>
        library.call('C_Decrypt', handle, wrapped, wrapped.length, bytes, length),
      ),
    )
  }

  private makeWrappingKey(): bigint {
    const { library, handle } = this.session
    const template = [
      [cka.class, cko.secretKey],
      [cka.keyType, ckk.aes],
      [cka.token, false],
      [cka.sensitive, true],
      [cka.extractable, false],
      [cka.wrap, true],
      [cka.decrypt, true],
      [cka.valueLength, 32],
    ] as const
    const wanted = attributes(library, template)
    const key = new BigUint64Array(1)
    const how = mechanism(library, ckm.aesKeyGeneration)
    library.call('C_GenerateKey', handle, how, wanted, template.length, key)
    return key[0]!
  }
}

/** A copy; what was copied is overwritten. */
function taken(bytes: Buffer): Uint8Array {
  const copy = Uint8Array.from(bytes)
  bytes.fill(0)
  return copy
}

/** Any key pair: what is agreed on with its owner can be calculated here. */
const [trialKey, trialPublicKey] = ((key) => [key, curve.publicKey(key)] as const)(new Uint8Array(32).fill(1))

/** Finds a way that gives the right secret; throws a `TokenError` with what the token said to each if there is none. */
export function findAgreement(
  session: Session,
  key: bigint,
  { label, publicKey }: { readonly label: string; readonly publicKey: Uint8Array },
  ways = agreementWays,
): Agreement {
  const right = curve.sharedPoint(trialKey, publicKey).subarray(0, secretLength)
  const reasons: string[] = []
  for (const way of ways) {
    const agreement = new Agreement(session, key, way)
    try {
      if (equalBytes(agreement.with(trialPublicKey), right)) return agreement
      reasons.push('another secret')
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      reasons.push(error.message)
    }
  }
  const said = [...new Set(reasons)].join('; ')
  const reason = `the token cannot agree on secrets with it (CKM_ECDH1_DERIVE), without which a node has no peers: ${said}`
  throw new TokenError({ code: 'UNFIT', label, reason })
}
