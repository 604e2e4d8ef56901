import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { keyPlaceOf } from '../../chainData/keyPlace.ts'
import { failed } from '../../config/fault.ts'
import { option, required, unset } from '../../config/option.ts'
import type { Config } from '../../config/options.ts'
import { path } from '../../config/values.ts'
import { KeyError } from '../../keys/fault.ts'
import { isKeystore } from '../../keys/keystore.ts'
import { generatePrivateKey, keyFileText, nodeKeyFile, readKeyText, readPrivateKey } from '../../keys/nodeKey.ts'
import { readNewPassword } from '../../keys/passwordFile.ts'
import { toHex } from '../../primitives/hex.ts'
import { curve, privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { encryptedKeyText, readKeyFile } from '../../privacyManager/keys.ts'
import { makeFolder } from '../../system/makeFolder.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import { command, commandGroup } from '../command.ts'

const operand = {
  label: 'FILE',
  doc: "A private key: one line of hexadecimal, or a keystore file. The node's own if none is given.",
  arity: 'optional',
} as const

const passwordOf = (doc: string, fallback = 'the key is not encrypted') =>
  option(path('FILE'), unset(fallback), 'command', doc)

const fromPassword = passwordOf('File with the password of the key that is read.')
const newPassword = passwordOf('File with the password that the key is encrypted with.', 'the key lies in the open')
const target = option(path('FILE'), required, 'command', 'File to write; it must not exist.')

/** The file that is named, or that of the node. */
function fileOf(operands: readonly string[], config: Config, passwordFile: string | undefined) {
  const own = nodeKeyFile(keyPlaceOf(config))
  const [named] = operands
  return { path: named ?? own.path, passwordFile: passwordFile ?? (named === undefined ? own.passwordFile : undefined) }
}

async function writeNew(file: string, key: Uint8Array, passwordFile: string | undefined): Promise<void> {
  if (existsSync(file)) throw new KeyError({ code: 'KEY_FILE_EXISTS', path: file })
  const text = await keyFileText(key, passwordFile === undefined ? undefined : readNewPassword(passwordFile))
  makeFolder(dirname(file), 0o700)
  writeFileAtomically(file, text, 0o600)
}

const addressOf = (key: Uint8Array) => `${toHex(privateKeyToAddress(key))}\n`

const make = command(
  'new',
  'Make a private key of a node and print its address.',
  { to: target, 'password-file': newPassword },
  async ({ to, 'password-file': passwordFile }, { io }) => {
    const key = generatePrivateKey()
    await writeNew(to, key, passwordFile)
    io.stdout(addressOf(key))
    return 0
  },
)

const take = command(
  'import',
  'Copy a private key to a new file, encrypted if a password is given, and print its address.',
  { to: target, 'password-file': newPassword, 'from-password-file': fromPassword },
  async ({ to, 'password-file': passwordFile, 'from-password-file': from }, { io, config, operands }) => {
    const key = await readPrivateKey({ ...fileOf(operands, config, from), passwordOption: '--from-password-file' })
    await writeNew(to, key, passwordFile)
    io.stdout(addressOf(key))
    return 0
  },
  operand,
)

const give = command(
  'export',
  'Write a private key to a new file in the open, as one line of hexadecimal, for programs that read nothing else.',
  { to: target, 'password-file': fromPassword },
  async ({ to, 'password-file': passwordFile }, { io, config, operands }) => {
    const key = await readPrivateKey(fileOf(operands, config, passwordFile))
    await writeNew(to, key, undefined)
    io.stdout(addressOf(key))
    io.stderr(`The key lies in the open in ${to}: delete that file as soon as it is not needed\n`)
    return 0
  },
  operand,
)

interface Kind {
  /** A key of a private transaction manager, not of a node. */
  readonly isManagers: boolean
  readonly isEncrypted: boolean
}

/** What a key file holds, as far as its text says; whether that can be read shows later. */
function kindOf(text: string): Kind {
  if (!isKeystore(text)) return { isManagers: managerKeyPattern.test(text), isEncrypted: false }
  let type: unknown
  try {
    type = (JSON.parse(text) as { readonly type?: unknown }).type
  } catch {
    // Reading it says what is wrong.
  }
  return { isManagers: type !== undefined, isEncrypted: type !== 'unlocked' }
}

/** 32 bytes in base64. */
const managerKeyPattern = /^[A-Za-z0-9+/]{43}=\s*$/

const inspect = command(
  'inspect',
  'Show whose private key a file holds, and whether it is encrypted; never the key.',
  { 'password-file': fromPassword },
  async ({ 'password-file': passwordFile }, { io, config, operands }) => {
    const file = fileOf(operands, config, passwordFile)
    const text = readKeyText(file.path)
    const { isManagers, isEncrypted } = kindOf(text)
    const lines = [`file: ${file.path}`, `encrypted: ${isEncrypted ? 'yes' : 'no'}`]
    if (isManagers) lines.push(`public key: ${(await readKeyFile(file.path, file.passwordFile)).name}`)
    else {
      const key = await readPrivateKey(file)
      const publicKey = toHex(curve.publicKey(key))
      lines.push(`address: ${toHex(privateKeyToAddress(key))}`, `public key: ${publicKey}`)
    }
    io.stdout(`${lines.join('\n')}\n`)
    return 0
  },
  operand,
)

const encrypt = command(
  'encrypt',
  "Encrypt a private key in its place: a node's, or one of a private transaction manager.",
  { 'password-file': option(path('FILE'), required, 'command', 'File with the password.') },
  async ({ 'password-file': passwordFile }, { io, config, operands }) => {
    const { path: file } = fileOf(operands, config, undefined)
    const text = readKeyText(file)
    const { isManagers, isEncrypted } = kindOf(text)
    if (isEncrypted) throw failed(`${file}: the key is encrypted already`)
    const password = readNewPassword(passwordFile)
    const encrypted = isManagers
      ? await encryptedKeyText(await readKeyFile(file), password)
      : await keyFileText(await readPrivateKey({ path: file }), password)
    writeFileAtomically(file, encrypted, 0o600)
    io.stderr(`${file} is encrypted. What was there before may still be found on the disk, and in older backups\n`)
    return 0
  },
  operand,
)

/** `quoin key`: private keys in files. */
export const key = commandGroup('key', 'Make, encrypt and show private keys in files.', [
  make,
  take,
  give,
  inspect,
  encrypt,
])
