import { type Address, concatBytes, type Hash32 } from '../primitives/bytes.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'

/** What a node signs, by the shape of what is hashed: whoever holds the key can tell them apart. */
export type SignedKind =
  /** A packet of discovery. */
  | 'packet'
  /** A node record (ENR). */
  | 'record'
  /** A message of IBFT 2.0 or QBFT. */
  | 'ibft2'
  | 'qbft'
  /** A header, for a commit seal of IBFT 2.0 or QBFT. */
  | 'ibft2-seal'
  | 'qbft-seal'
  /** A header, for its maker's seal in Clique. */
  | 'clique'

/** Something to sign. */
export interface ToSign {
  readonly kind: SignedKind
  /** What is signed: the Keccak hash of the content. */
  readonly digest: Hash32
  /** Made only for keys that decide by it. */
  content(): Uint8Array
}

interface KeyNames {
  /** 64 bytes. */
  readonly publicKey: Uint8Array
  readonly address: Address
}

/** A key in the memory of this process: it answers at once. */
export interface LocalKey extends KeyNames {
  readonly kind: 'local'
  /** 65 bytes: r, s and the parity of R's y coordinate. */
  sign(digest: Hash32): Uint8Array
  /** The x coordinate of the point that is shared with the owner of a public key, which is on the curve. */
  agree(publicKey: Uint8Array): Uint8Array
}

/** A key that another process or a device holds: it answers later, or not at all, or refuses. It logs what fails. */
export interface RemoteKey extends KeyNames {
  readonly kind: 'remote'
  /** Whether whoever holds it keeps a record of its own and refuses what contradicts it, wherever that is asked from. */
  readonly isGuarded: boolean
  /** Rejects with a `SigningRefused` if it is not going to be signed. */
  sign(what: ToSign): Promise<Uint8Array>
  agree(publicKey: Uint8Array): Promise<Uint8Array>
}

/** A key that something else holds, until it is closed. */
export interface HeldKey extends RemoteKey {
  close(): void
}

/** The key of a node: who it is for peers and for other validators. */
export type NodeKey = LocalKey | RemoteKey

/** Whether contradictions are refused by whoever holds the key: then the node does not have to know what was signed elsewhere. */
export const isGuarded = (key: NodeKey): boolean => key.kind === 'remote' && key.isGuarded

/** Whoever holds the key has decided not to sign something: asking again is of no use. */
export class SigningRefused extends Error {}

export function createLocalKey(privateKey: Uint8Array): LocalKey {
  return {
    kind: 'local',
    publicKey: curve.publicKey(privateKey),
    address: privateKeyToAddress(privateKey),
    sign(digest) {
      const { rs, parity } = curve.sign(digest, privateKey)
      return concatBytes(rs, Uint8Array.of(parity))
    },
    agree: (publicKey) => curve.sharedPoint(privateKey, publicKey).slice(0, 32),
  }
}

/** Passes on the signature: at once if the key is here, later or never if it is not. */
export function signWith(key: NodeKey, what: ToSign, done: (signature: Uint8Array) => void): void {
  if (key.kind === 'local') done(key.sign(what.digest))
  else key.sign(what).then(done, () => {})
}
