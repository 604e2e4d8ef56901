import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { devAccounts } from '../../forks/devGenesis.ts'
import { callText } from '../../jsonrpc/remoteCall.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { fromBase64 } from '../../privacy/enclave/base64.ts'
import { encodePrivateTx } from '../../privacy/sending/privateTx.ts'
import { signPrivateTx } from '../../privacy/sending/signPrivateTx.ts'
import {
  defaultKeyFile,
  generateKeyPair,
  plainKeyText,
  publicKeyFileOf,
  writeKeyFiles,
} from '../../privacyManager/keys.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'

/** Emits a log and creates a contract that returns 42. */
const initCode = fromHex('0x60006000a069602a60005260206000f3600052600a6016f3')
const chainId = 1337n
const gasLimit = 100_000n

/** The request that sends a first private transaction, from node 0 to node 1. */
export const firstPrivateFile = (dir: string): string => join(dir, 'private.json')

/** Makes the keys of all managers, and a first private transaction to send. */
export function writePrivacy(dir: string, folders: readonly string[]): void {
  const keys = folders.map(loadOrCreatePublicKey)
  const fields = { nonce: 0n, gasPrice: 0n, gasLimit, to: undefined, value: 0n, data: initCode }
  const tx = signPrivateTx(
    { ...fields, privateFrom: keys[0]!, recipients: { privateFor: keys.slice(1, 2) }, restriction: 'restricted' },
    chainId,
    fromHex(devAccounts[0]!.privateKey),
  )
  const request = callText('eea_sendRawTransaction', [toHex(encodePrivateTx(tx))])
  writeFileAtomically(firstPrivateFile(dir), `${request}\n`)
}

function loadOrCreatePublicKey(folder: string): Uint8Array {
  const path = defaultKeyFile(folder)
  if (existsSync(path)) return fromBase64(readPrivacyKey(folder))!
  const pair = generateKeyPair()
  writeKeyFiles(path, pair, plainKeyText(pair, 'tessera'))
  return pair.publicKey
}

/** The public key of a node's manager, in base64. */
export function readPrivacyKey(folder: string): string {
  return readFileSync(publicKeyFileOf(defaultKeyFile(folder)), 'utf8').trim()
}
