import { keyPlaceOf } from '../../chainData/keyPlace.ts'
import { failed } from '../../config/fault.ts'
import { option, unset, type Values } from '../../config/option.ts'
import type { Config } from '../../config/options.ts'
import { oneOf, path } from '../../config/values.ts'
import { KeyError } from '../../keys/fault.ts'
import { loadOrCreateNodeKey, readPrivateKey } from '../../keys/nodeKey.ts'
import { toHex } from '../../primitives/hex.ts'
import { curve, publicKeyToAddress } from '../../primitives/secp256k1.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import { command, commandGroup } from '../command.ts'

const options = {
  'node-private-key-file': option(
    path('FILE'),
    unset("the main command's --node-private-key-file, else key in the data path, created if missing"),
    'command',
    'File with the private key; it must exist.',
  ),
  'node-private-key-password-file': option(
    path('FILE'),
    unset("the main command's"),
    'command',
    'File with the password of the private key, if it is encrypted.',
  ),
  'ec-curve': option(
    oneOf(['secp256k1'], 'any case'),
    'secp256k1',
    'command',
    'Elliptic curve of a key that is created; accepted because Besu has it.',
  ),
  to: option(path('FILE'), unset('standard output'), 'command', 'Output file.'),
}

function exporter(name: string, doc: string, show: (publicKey: Uint8Array) => Uint8Array) {
  return command(name, doc, options, async ({ to, ...given }, { config, io }) => {
    const text = toHex(show((await heldPublicKey(given, config)) ?? curve.publicKey(await loadKey(given, config))))
    if (to === undefined) io.stdout(text + '\n')
    else writeFileAtomically(to, text)
    return 0
  })
}

/** `public-key export` and `public-key export-address`. */
export const publicKey = commandGroup('public-key', "Show the node's public key or address.", [
  exporter('export', "Print the node's public key.", (key) => key),
  exporter('export-address', "Print the node's address.", publicKeyToAddress),
])

/** The public key of what else has the key of the node, if it is not in a file. */
async function heldPublicKey(
  given: Omit<Values<typeof options>, 'to'>,
  config: Config,
): Promise<Uint8Array | undefined> {
  if (config['security-module'] === 'localfile' || given['node-private-key-file'] !== undefined) return undefined
  // Other commands do not need what this one loads.
  const { keyHoldingOf } = await import('../../chainData/heldKey.ts')
  const { createSilentLog } = await import('../../system/silentLog.ts')
  const key = await keyHoldingOf(config, createSilentLog())!.open(0)
  key.close()
  return key.publicKey
}

async function loadKey(given: Omit<Values<typeof options>, 'to'>, config: Config): Promise<Uint8Array> {
  const keyFile = given['node-private-key-file']
  const place = keyPlaceOf(config)
  const passwordFile = given['node-private-key-password-file'] ?? place.passwordFile
  try {
    if (keyFile === undefined) return await loadOrCreateNodeKey({ ...place, passwordFile })
    return await readPrivateKey({ path: keyFile, passwordFile, passwordOption: '--node-private-key-password-file' })
  } catch (error) {
    if (!(error instanceof KeyError) || !(error.at.code in besuSentences)) throw error
    const { code, path } = error.at
    throw failed(`${besuSentences[code as keyof typeof besuSentences]}: ${path}`, error)
  }
}

/** As Besu says it. */
const besuSentences = {
  KEY_FILE_MISSING: "Private key file doesn't exist",
  KEY_FILE_INVALID: 'Private key cannot be loaded from file',
  KEY_FILE_UNREADABLE: 'Private key cannot be loaded from file',
} as const
