import { NodeKeyError } from '../../chainData/fault.ts'
import { loadOrCreateNodeKey, readNodeKey } from '../../chainData/nodeKey.ts'
import { failed } from '../../config/fault.ts'
import { option, unset } from '../../config/option.ts'
import type { Config } from '../../config/options.ts'
import { path } from '../../config/values.ts'
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
  to: option(path('FILE'), unset('standard output'), 'command', 'Output file.'),
}

function exporter(name: string, doc: string, show: (publicKey: Uint8Array) => Uint8Array) {
  return command(name, doc, options, ({ to, 'node-private-key-file': keyFile }, { config, io }) => {
    const text = toHex(show(curve.publicKey(loadKey(keyFile, config))))
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

function loadKey(keyFile: string | undefined, config: Config): Uint8Array {
  try {
    if (keyFile !== undefined) return readNodeKey(keyFile)
    return loadOrCreateNodeKey(config['data-path'], config['node-private-key-file'])
  } catch (error) {
    if (!(error instanceof NodeKeyError)) throw error
    const { code, path } = error.at
    const text =
      code === 'KEY_FILE_MISSING' ? "Private key file doesn't exist" : 'Private key cannot be loaded from file'
    throw failed(`${text}: ${path}`, error)
  }
}
