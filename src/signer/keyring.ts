import type { Address, Hash32 } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { curve, privateKeyToAddress, type Signature } from '../primitives/secp256k1.ts'
import { signTx } from '../types/signTx.ts'
import type { Tx, UnsignedTx } from '../types/transaction.ts'
import { CallError } from './fault.ts'

/** Signs with keys that never leave it. */
export interface Keyring {
  /** Addresses in lower-case hexadecimal, in the order of the keys. */
  readonly accounts: readonly string[]
  /** Signs for an account; throws a CallError if its key is not here. */
  signTx(account: Address, tx: UnsignedTx): Tx
  signHash(account: Address, hash: Hash32): Signature
  /** Throws a CallError if the key of the account is not here. */
  require(account: Address): void
}

/** Accounts that the error of an unknown account lists. */
const maxListed = 10

/** Creates the keyring of these private keys; a key that is given twice counts once. */
export function createKeyring(privateKeys: readonly Uint8Array[]): Keyring {
  const keys = new Map(privateKeys.map((key) => [toHex(privateKeyToAddress(key)), key]))
  const accounts = [...keys.keys()]

  function keyOf(account: Address): Uint8Array {
    const key = keys.get(toHex(account))
    if (!key) throw new CallError({ code: 'UNKNOWN_ACCOUNT', detail: `${toHex(account)}. ${available()}` })
    return key
  }

  function available(): string {
    const listed = accounts.slice(0, maxListed).join(', ')
    const more = accounts.length > maxListed ? ` and ${accounts.length - maxListed} more` : ''
    return `Available: ${listed}${more}`
  }

  return {
    accounts,
    signTx: (account, tx) => signTx(tx, keyOf(account)),
    signHash: (account, hash) => curve.sign(hash, keyOf(account)),
    require: (account) => void keyOf(account),
  }
}
