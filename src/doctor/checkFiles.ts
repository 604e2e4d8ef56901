import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type KeyHolding, keyHoldingOf } from '../chainData/heldKey.ts'
import { keyPlaceOf } from '../chainData/keyPlace.ts'
import type { Config } from '../config/options.ts'
import { KeyError } from '../keys/fault.ts'
import { createLocalKey, type NodeKey } from '../keys/nodeIdentity.ts'
import { nodeKeyFile, readPrivateKey } from '../keys/nodeKey.ts'
import { findForeignData, programNames } from '../migration/foreignData.ts'
import { toHex } from '../primitives/hex.ts'
import { judgeDisk, measureDisk } from '../reporting/state/diskSpace.ts'
import { decodeOwner, isRunning } from '../store/owner.ts'
import { meta, schemaVersion } from '../store/schema.ts'
import { walkPages } from '../store/walkPages.ts'
import { createSilentLog } from '../system/silentLog.ts'
import { type Checked, fine, warning, wrong } from './finding.ts'

const mebibyte = 2 ** 20

/** The data folder: that it is one of this program, whole, writable and private. */
export function checkDataPath(dataPath: string): Checked[] {
  const foreign = findForeignData(dataPath)
  if (foreign)
    return [
      wrong(
        `${dataPath} holds a database of ${programNames[foreign]}`,
        'start the node on it: it shows how to bring the chain over',
      ),
    ]
  if (!existsSync(dataPath))
    return [warning(`${dataPath} does not exist`, 'it will be made; check --data-path if this node had data')]
  const found: Checked[] = []
  try {
    accessSync(dataPath, constants.W_OK)
  } catch {
    found.push(
      wrong(
        `${dataPath} cannot be written by this user`,
        'start the node as the owner of the folder, or give it to this user',
      ),
    )
  }
  const file = join(dataPath, 'database/data.mdb')
  if (!existsSync(file))
    return [...found, warning(`${dataPath} has no database`, 'the node starts from the genesis block and syncs')]
  const { findings } = walkPages(file, { top: true })
  found.push(
    findings.length === 0
      ? fine(
          `${dataPath} has a database of ${Math.ceil(statSync(file).size / mebibyte)} MiB, schema ${schemaVersion}; ` +
            'only its first pages were checked, quoin verify checks all of it',
        )
      : wrong(
          `${file} is damaged: ${findings[0]}`,
          'run quoin verify --repair, or restore a backup with quoin restore',
        ),
  )
  return found
}

/** The process that uses a data path; undefined if none does. */
export function findRunningNode(dataPath: string): number | undefined {
  const file = join(dataPath, 'database/data.mdb')
  if (!existsSync(file) || statSync(file).size === 0) return undefined
  let pid: number | undefined
  walkPages(file, {
    only: meta.name,
    onRow(_, key, value) {
      if (meta.key.decode(key) !== 'owner') return
      try {
        const owner = decodeOwner(value)
        if (isRunning(owner)) pid = owner.pid
      } catch {
        // The mark is damaged: nobody is named.
      }
    },
  })
  return pid
}

/** The private key: that it is there, valid, and that other users cannot read it. */
export async function checkKey(
  config: Config,
  dataPath: string,
): Promise<{ readonly checked: Checked; readonly key?: NodeKey }> {
  const holding = keyHoldingOf(config, createSilentLog())
  if (holding) return checkHeldKey(holding)
  const keyFile = nodeKeyFile(keyPlaceOf(config, dataPath))
  const file = keyFile.path
  if (!existsSync(file)) {
    const checked = config['node-private-key-file']
      ? wrong(`the key file ${file} does not exist`, 'correct --node-private-key-file, or put the key there')
      : warning(`${file} does not exist`, 'a new key will be made; a validator needs the key that the others know')
    return { checked }
  }
  try {
    const key = createLocalKey(await readPrivateKey(keyFile))
    const mode = statSync(file).mode & 0o777
    const name = `key ${file} of address ${toHex(key.address)}`
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      return {
        checked: warning(`other users can read the ${name} (mode ${mode.toString(8)})`, `chmod 600 ${file}`),
        key,
      }
    return { checked: fine(name), key }
  } catch (error) {
    const remedy =
      error instanceof KeyError && error.at.code.startsWith('PASSWORD')
        ? 'correct --node-private-key-password-file'
        : 'put the private key there: one line of 64 hexadecimal digits, or a keystore file'
    return { checked: wrong((error as Error).message, remedy) }
  }
}

/** A key elsewhere: that its holder answers, and whose key it has. */
async function checkHeldKey({
  holder,
  remedy,
  open,
}: KeyHolding): Promise<{ readonly checked: Checked; readonly key?: NodeKey }> {
  try {
    const key = await open(0)
    key.close()
    return { checked: fine(`${holder} has the key of address ${toHex(key.address)}`), key }
  } catch (error) {
    return { checked: wrong((error as Error).message, remedy) }
  }
}

/** Free space of the disk that has the data folder. */
export async function checkDisk(dataPath: string): Promise<Checked> {
  let folder = dataPath
  while (!existsSync(folder)) folder = dirname(folder)
  return judgeDisk(await measureDisk(folder))
}
