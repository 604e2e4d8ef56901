import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { keyPlaceOf } from '../../chainData/keyPlace.ts'
import { failed } from '../../config/fault.ts'
import { option, required, unset } from '../../config/option.ts'
import type { Config } from '../../config/options.ts'
import { path } from '../../config/values.ts'
import { KeyError } from '../../keys/fault.ts'
import { generatePrivateKey, type KeyFile, nodeKeyFile } from '../../keys/nodeKey.ts'
import { makeFolder } from '../../system/makeFolder.ts'
import { writeNewFile } from '../../system/writeNewFile.ts'
import { type AnyKey, accountKey, kindOfKey, readAnyKey } from '../anyKey.ts'
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
function fileOf(operands: readonly string[], config: Config, passwordFile: string | undefined): KeyFile {
  const own = nodeKeyFile(keyPlaceOf(config))
  const [named] = operands
  if (named !== undefined) return { path: named, passwordFile }
  return { ...own, passwordFile: passwordFile ?? own.passwordFile }
}

/** Writes a key to a file that is not there yet, and forgets it; returns what it is known by. */
async function writeNew(file: string, key: AnyKey, passwordFile: string | undefined): Promise<string> {
  try {
    if (existsSync(file)) throw new KeyError({ code: 'KEY_FILE_EXISTS', path: file })
    const text = await key.text(passwordFile)
    makeFolder(dirname(file), 0o700)
    writeNewFile(file, text, 0o600)
    return `${key.name}\n`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new KeyError({ code: 'KEY_FILE_EXISTS', path: file }, error)
  } finally {
    key.wipe()
  }
}

const make = command(
  'new',
  'Make a private key of a node and print its address.',
  { to: target, 'password-file': newPassword },
  async ({ to, 'password-file': passwordFile }, { io }) => {
    io.stdout(await writeNew(to, accountKey(generatePrivateKey()), passwordFile))
    return 0
  },
)

const take = command(
  'import',
  'Copy a private key to a new file, encrypted if a password is given, and print its address; or the public key of one of a private transaction manager.',
  { to: target, 'password-file': newPassword, 'from-password-file': fromPassword },
  async ({ to, 'password-file': passwordFile, 'from-password-file': from }, { io, config, operands }) => {
    const key = await readAnyKey({ ...fileOf(operands, config, from), passwordOption: '--from-password-file' })
    io.stdout(await writeNew(to, key, passwordFile))
    return 0
  },
  operand,
)

const give = command(
  'export',
  'Write a private key to a new file in the open, as one line of hexadecimal (of a private transaction manager: as JSON of Tessera), for programs that read nothing else.',
  { to: target, 'password-file': fromPassword },
  async ({ to, 'password-file': passwordFile }, { io, config, operands }) => {
    const key = await readAnyKey(fileOf(operands, config, passwordFile))
    io.stdout(await writeNew(to, key, undefined))
    io.stderr(`The key lies in the open in ${to}: delete that file as soon as it is not needed\n`)
    return 0
  },
  operand,
)

const inspect = command(
  'inspect',
  'Show whose private key a file holds, and whether it is encrypted; never the key.',
  { 'password-file': fromPassword },
  async ({ 'password-file': passwordFile }, { io, config, operands }) => {
    const file = fileOf(operands, config, passwordFile)
    const { lines, isEncrypted, wipe } = await readAnyKey(file)
    wipe()
    io.stdout(`${[`file: ${file.path}`, `encrypted: ${isEncrypted ? 'yes' : 'no'}`, ...lines].join('\n')}\n`)
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
    if (kindOfKey({ path: file }).isEncrypted) throw failed(`${file}: the key is encrypted already`)
    const key = await readAnyKey({ path: file })
    await replaceKey(file, await key.text(passwordFile), passwordFile, key.name)
    key.wipe()
    io.stderr(`${file} is encrypted. What was there before may still be found on the disk, and in older backups\n`)
    return 0
  },
  operand,
)

/** Replaces what may be the only copy of a key, which was seen to be in the new file; the owner stays, and a link still leads there. */
async function replaceKey(file: string, text: string, passwordFile: string, name: string): Promise<void> {
  const real = realpathSync(file)
  const trial = `${real}.${randomBytes(6).toString('hex')}.new`
  try {
    writeNewFile(trial, text, 0o600)
    const back = await readAnyKey({ path: trial, passwordFile })
    back.wipe()
    if (back.name !== name) throw failed(`${file}: the encrypted key could not be read back; nothing was changed`)
    const { uid, gid } = statSync(real)
    if (uid !== statSync(trial).uid) chownSync(trial, uid, gid)
    renameSync(trial, real)
  } finally {
    rmSync(trial, { force: true })
  }
}

/** `quoin key`: private keys in files. */
export const key = commandGroup('key', 'Make, encrypt and show private keys in files.', [
  make,
  take,
  give,
  inspect,
  encrypt,
])
