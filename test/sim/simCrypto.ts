import type { BftCrypto } from '../../src/consensus/bft/machine.ts'
import { recoverSigner, sealLength } from '../../src/consensus/recoverSeal.ts'
import { type Address, keyOf } from '../../src/primitives/bytes.ts'
import type { Authority } from '../support/authorityChain.ts'
import { cryptoOf } from '../support/machineNetwork.ts'

/** Signatures of a whole network. */
export interface SimCrypto {
  of(authority: Authority): BftCrypto
  /** What `by` can make when it wants others to believe that `victim` signed. */
  forging(by: Authority, victim: Address): Pick<BftCrypto, 'sign'>
}

const digestAt = 20
const tagAt = digestAt + 32

/** Signatures that cost next to nothing: who, what, and a few bytes that take the key to make. */
function createKeyedCrypto(authorities: readonly Authority[]): SimCrypto {
  const byAddress = new Map(authorities.map((authority) => [keyOf(authority.address), authority]))

  function signature(address: Address, key: Uint8Array, digest: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(sealLength)
    bytes.set(address)
    bytes.set(digest, digestAt)
    for (let i = 0; tagAt + i < sealLength; i++) bytes[tagAt + i] = digest[i]! ^ key[i]!
    return bytes
  }

  function recover(digest: Uint8Array, given: Uint8Array): Address | undefined {
    const claimed = byAddress.get(keyOf(given.subarray(0, digestAt)))
    if (!claimed || given.length !== sealLength) return undefined
    for (let i = digestAt; i < tagAt; i++) if (given[i] !== digest[i - digestAt]) return undefined
    for (let i = 0; tagAt + i < sealLength; i++)
      if (given[tagAt + i] !== (digest[i]! ^ claimed.key[i]!)) return undefined
    return claimed.address
  }

  return {
    of: ({ address, key }) => ({ sign: (digest) => signature(address, key, digest), recover }),
    forging: (by, victim) => ({ sign: (digest) => signature(victim, by.key, digest) }),
  }
}

/** The node's own signatures, of which a forger can only make what fits another key or none. */
const realCrypto: SimCrypto = {
  of: (authority) => ({ sign: cryptoOf(authority).sign, recover: recoverSigner }),
  forging: (by) => ({
    sign(digest) {
      const bytes = cryptoOf(by).sign(digest)
      bytes[31]! ^= 1
      return bytes
    },
  }),
}

/** The node's own signatures; who made one is recovered once, and not at all where it was made here. */
export function createRememberingCrypto(): Pick<SimCrypto, 'of'> {
  const signers = new Map<string, Address | undefined>()
  const keyFor = (digest: Uint8Array, signature: Uint8Array) => keyOf(digest) + keyOf(signature)
  return {
    of: (authority) => ({
      sign(digest) {
        const signature = cryptoOf(authority).sign(digest)
        signers.set(keyFor(digest, signature), authority.address)
        return signature
      },
      recover(digest, signature) {
        const key = keyFor(digest, signature)
        if (!signers.has(key)) signers.set(key, recoverSigner(digest, signature))
        return signers.get(key)
      },
    }),
  }
}

export function createSimCrypto(authorities: readonly Authority[], isReal: boolean): SimCrypto {
  return isReal ? realCrypto : createKeyedCrypto(authorities)
}
