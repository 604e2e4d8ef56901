import { isKeystore } from '../keys/keystore.ts'
import { type KeyFile, keyFileText, readKeyBytes, readPrivateKey } from '../keys/nodeKey.ts'
import { wipe } from '../keys/readSecretFile.ts'
import { toHex } from '../primitives/hex.ts'
import { curve, publicKeyToAddress } from '../primitives/secp256k1.ts'
import { keyPairText, readKeyFile } from '../privacyManager/keys.ts'

/** A private key in a file: that of a node, of markers or of an account, or one of a private transaction manager. */
export interface AnyKey {
  /** What others know it by: an address, or a public key in base64. */
  readonly name: string
  /** Lines that describe it. */
  readonly lines: readonly string[]
  readonly isEncrypted: boolean
  /** What a file with it holds, encrypted if a password file is named. */
  text(passwordFile: string | undefined): Promise<string>
  /** Overwrites it in memory. */
  wipe(): void
}

interface Kind {
  readonly isManagers: boolean
  readonly isEncrypted: boolean
}

/** 32 bytes in base64. */
const managerKeyPattern = /^[A-Za-z0-9+/]{43}=\s*$/

/** What a key file holds, as far as its text says; whether that can be read shows later. */
export function kindOfKey(file: KeyFile): Kind {
  const bytes = readKeyBytes(file)
  const text = new TextDecoder().decode(bytes)
  const isJson = isKeystore(bytes)
  wipe(bytes)
  if (!isJson) return { isManagers: managerKeyPattern.test(text), isEncrypted: false }
  let type: unknown
  try {
    type = (JSON.parse(text) as { readonly type?: unknown }).type
  } catch {
    // Reading it says what is wrong.
  }
  return { isManagers: type !== undefined, isEncrypted: type !== 'unlocked' }
}

/** The key of a node, of markers or of an account. */
export function accountKey(key: Uint8Array, isEncrypted = false): AnyKey {
  const publicKey = curve.publicKey(key)
  const address = toHex(publicKeyToAddress(publicKey))
  return {
    name: address,
    lines: [`address: ${address}`, `public key: ${toHex(publicKey)}`],
    isEncrypted,
    text: (passwordFile) => keyFileText(key, passwordFile),
    wipe: () => wipe(key),
  }
}

/** Reads a key of either kind. */
export async function readAnyKey(file: KeyFile): Promise<AnyKey> {
  const { isManagers, isEncrypted } = kindOfKey(file)
  if (!isManagers) return accountKey(await readPrivateKey(file), isEncrypted)
  const pair = await readKeyFile(file.path, file.passwordFile)
  return {
    name: pair.name,
    lines: [`public key: ${pair.name}`],
    isEncrypted,
    text: (passwordFile) => keyPairText(pair, passwordFile),
    wipe: () => wipe(pair.privateKey),
  }
}
