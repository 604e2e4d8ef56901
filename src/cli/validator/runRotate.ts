import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keyPlaceOf } from '../../chainData/keyPlace.ts'
import { failed, usage } from '../../config/fault.ts'
import { generatePrivateKey, nodeKeyFile } from '../../keys/nodeKey.ts'
import type { Address } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { makeFolder } from '../../system/makeFolder.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import { writeNewFile } from '../../system/writeNewFile.ts'
import { accountKey, readAnyKey } from '../anyKey.ts'
import type { CommandContext } from '../command.ts'
import { interruptible } from '../interruptible.ts'
import { type Rotation, rotateValidator } from './rotateValidator.ts'
import { openValidatorApi, type ValidatorApi } from './validatorApi.ts'

export interface RotateValues {
  readonly 'rpc-url': readonly string[]
  readonly 'new-key-file': string | undefined
  readonly 'password-file': string | undefined
  readonly 'new-address': Address | undefined
}

/** What is remembered of a rotation in the data path, so that the command can be run again at any point. */
interface Note extends Rotation {
  /** Undefined if the new key is not in a file. */
  readonly newKeyFile?: string
}

const noteFile = 'rotation.json'
/** Milliseconds between two looks. */
const lookEvery = 1000

/** The address of the new key; the key is made if there is no file. */
async function newAddress(file: string, passwordFile: string | undefined): Promise<string> {
  if (existsSync(file)) {
    const key = await readAnyKey({ path: file, passwordFile })
    key.wipe()
    return key.name
  }
  const key = accountKey(generatePrivateKey())
  try {
    makeFolder(resolve(file, '..'), 0o700)
    writeNewFile(file, await key.text(passwordFile), 0o600)
  } finally {
    key.wipe()
  }
  return key.name
}

function readNote(path: string): Note | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Note) : undefined
}

async function beginRotation(values: RotateValues, { config }: CommandContext, from: string): Promise<Note> {
  const dataPath = resolve(config['data-path'])
  const { 'new-address': address, 'new-key-file': file = join(dataPath, 'key.new') } = values
  const passwordFile = values['password-file'] ?? config['node-private-key-password-file']
  const note =
    address === undefined
      ? { from, to: await newAddress(resolve(file), passwordFile), newKeyFile: resolve(file) }
      : { from, to: toHex(address) }
  if (note.to === from) throw failed(`${from} is the key that the node has already`)
  makeFolder(dataPath, 0o700)
  writeFileAtomically(join(dataPath, noteFile), `${JSON.stringify(note, undefined, 2)}\n`, 0o600)
  return note
}

/** Puts the new key where the node reads its key at its next start; the old one stays beside it. Returns what there is to do. */
function switchKeys({ from, to, newKeyFile }: Note, { config }: CommandContext): string {
  const place = keyPlaceOf(config, resolve(config['data-path']))
  const { path: own } = nodeKeyFile(place)
  if (newKeyFile === undefined) return `Restart the node so that it has the key ${to}`
  if (place.keyFile !== undefined) return `Restart the node with --node-private-key-file=${newKeyFile}`
  const old = `${own}.${from}`
  // The second time it is done already.
  if (existsSync(newKeyFile)) {
    if (existsSync(old)) throw failed(`${old} exists already: move it away`)
    if (existsSync(own)) renameSync(own, old)
    renameSync(newKeyFile, own)
  }
  return `${own} is the new key now, and the old one is ${old}. Restart the node`
}

async function openAll(urls: readonly string[], stop: AbortSignal): Promise<[ValidatorApi, ...ValidatorApi[]]> {
  const [first, ...rest] = urls
  if (first === undefined) throw usage('--rpc-url names no node')
  const opened: [ValidatorApi, ...ValidatorApi[]] = [await openValidatorApi(first, stop)]
  for (const url of rest) opened.push(await openValidatorApi(url, stop))
  return opened
}

/** `validator rotate`: brings a validator to a new key, as far as a restart of its node allows; run again, it goes on. */
export async function runRotate(values: RotateValues, call: CommandContext): Promise<number> {
  const { io, config } = call
  const file = join(resolve(config['data-path']), noteFile)
  const say = (line: string) => io.stdout(`${line}\n`)
  return interruptible(async (stop) => {
    const nodes = await openAll(values['rpc-url'], stop)
    const note = readNote(file) ?? (await beginRotation(values, call, await nodes[0].address()))
    say(`from ${note.from} to ${note.to}${note.newKeyFile === undefined ? '' : ` (${note.newKeyFile})`}`)
    const pause = async () => {
      await delay(lookEvery, undefined, { signal: stop }).catch(() => {})
      if (stop.aborted) throw failed('Interrupted; the same command goes on from here')
    }
    if ((await rotateValidator(note, { nodes, say, pause })) === 'switch') {
      say(`${switchKeys(note, call)}, and run this command again: it says when the new key makes blocks.`)
      return 0
    }
    rmSync(file, { force: true })
    say(`Done. ${note.from} is not needed any more: destroy its file, and its copies`)
    return 0
  })
}
