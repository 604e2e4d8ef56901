import { resolve } from 'node:path'
import { usage } from '../config/fault.ts'
import { type BackupNote, backupData } from '../maintenance/backupData.ts'
import { allowSigning, restoreData } from '../maintenance/restoreData.ts'
import { toHex } from '../primitives/hex.ts'
import type { CommandContext } from './command.ts'
import { createProgressBar } from './progressBar.ts'
import { progressOutput } from './progressOutput.ts'

/** Makes a backup, with a progress bar; returns the exit code. */
export async function runBackup({ config, io }: CommandContext, to: string, withKey: boolean): Promise<number> {
  const bar = createProgressBar(progressOutput(`Backing up to ${to}`, io))
  const onProgress = (part: string, done: number, all: number) => bar.update({ share: done / all, detail: part })
  const dataPath = resolve(config['data-path'])
  const note = await backupData(dataPath, { to: resolve(to), withKey, onProgress }).finally(bar.clear)
  io.stdout(`${to}: ${headOf(note)}\n`)
  io.stdout(
    withKey
      ? 'It has the private key, and the record of what a validator has signed until now. Restore it with quoin restore, which lets the validator wait ' +
          'until the network has made another block; never let two nodes with one key run\n'
      : 'The private key of the node is not in it; keep a copy of it elsewhere\n',
  )
  return 0
}

/** Restores a backup, with a progress bar; returns the exit code. */
export async function runRestore(
  { config, io }: CommandContext,
  from: string | undefined,
  maySign: boolean,
): Promise<number> {
  const dataPath = resolve(config['data-path'])
  if (from === undefined) {
    if (!maySign) throw usage("Missing required option: '--from=<PATH>'")
    await allowSigning(dataPath)
    io.stdout(`${dataPath}: a validator signs at once\n`)
    return 0
  }
  const bar = createProgressBar(progressOutput(`Restoring ${from}`, io))
  const onProgress = (part: string, done: number, all: number) => bar.update({ share: done / all, detail: part })
  const note = await restoreData(dataPath, {
    from: resolve(from),
    genesis: await genesisOf(config),
    maySign,
    onProgress,
  }).finally(bar.clear)
  io.stdout(`${dataPath}: ${headOf(note)}\n`)
  if (!maySign)
    io.stdout(
      'A validator signs nothing until the network has made another block. If the whole network is restored, run quoin restore --may-sign\n',
    )
  return 0
}

function headOf({ head, created }: BackupNote): string {
  return `head ${head.number} ${head.hash}, state root ${head.stateRoot}, of ${created}`
}

/** The genesis block of the network that a genesis file describes; undefined where none is given. */
async function genesisOf(config: CommandContext['config']): Promise<string | undefined> {
  const file = config['genesis-file']
  if (file === undefined) return undefined
  const { loadNetwork } = await import('../chainData/network.ts')
  const { genesisHashOf } = await import('../maintenance/genesisHash.ts')
  return toHex(genesisHashOf(loadNetwork(file, undefined)))
}
