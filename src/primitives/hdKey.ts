import { createHmac, pbkdf2Sync } from 'node:crypto'
import { concatBytes } from './bytes.ts'
import { curve, curveOrder } from './secp256k1.ts'
import { bigIntToFixed, bytesToBigInt } from './u256.ts'

/** A key of a BIP-32 tree, and the chain code that its children derive from. */
interface ExtendedKey {
  readonly key: Uint8Array
  readonly chainCode: Uint8Array
}

const hardened = 0x80000000
/** m/44'/60'/0'/0: where wallets put the accounts of Ethereum. */
const accountsPath = [hardened + 44, hardened + 60, hardened, 0]

function hmac(key: Uint8Array | string, data: Uint8Array): Uint8Array {
  return createHmac('sha512', key).update(data).digest()
}

/** The seed of a BIP-39 mnemonic without passphrase. */
function seedOf(mnemonic: string): Uint8Array {
  return pbkdf2Sync(mnemonic.trim().split(/\s+/).join(' ').normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')
}

function compress(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(2 + (publicKey[63]! & 1)), publicKey.subarray(0, 32))
}

function child({ key, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const parent = index >= hardened ? concatBytes(Uint8Array.of(0), key) : compress(curve.publicKey(key))
  const mac = hmac(chainCode, concatBytes(parent, bigIntToFixed(BigInt(index), 4)))
  const sum = (bytesToBigInt(mac.subarray(0, 32)) + bytesToBigInt(key)) % curveOrder
  return { key: bigIntToFixed(sum, 32), chainCode: mac.subarray(32) }
}

/** Derives the private keys of the first accounts of a mnemonic, at m/44'/60'/0'/0/i. The words are not checked. */
export function deriveKeys(mnemonic: string, count: number): Uint8Array[] {
  const master = hmac('Bitcoin seed', seedOf(mnemonic))
  const root: ExtendedKey = { key: master.subarray(0, 32), chainCode: master.subarray(32) }
  const parent = accountsPath.reduce(child, root)
  return Array.from({ length: count }, (_, i) => child(parent, i).key)
}
