import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import { toWord } from '../../../src/primitives/u256.ts'
import { addressNumber } from '../../oracle/words.ts'

export interface Person {
  readonly privateKey: Uint8Array
  readonly address: bigint
}

function person(number: bigint): Person {
  const privateKey = toWord(number)
  return { privateKey, address: addressNumber(privateKeyToAddress(privateKey)) }
}

/** Those who send transactions. */
export const senders: readonly Person[] = [0x51n, 0x52n].map(person)

/** Those who sign delegations and have, or have not, an account yet. */
export const authorities: readonly Person[] = [0xa1n, 0xa2n, 0xa3n].map(person)
