import { resolve } from 'node:path'
import { loadNetwork, type Network } from '../chainData/network.ts'
import { usage } from '../config/fault.ts'
import { type BackupNote, backupData } from '../maintenance/backupData.ts'
import { backupState } from '../maintenance/backupState.ts'
import { genesisHashOf } from '../maintenance/genesisHash.ts'
import { allowSigning, restoreData } from '../maintenance/restoreData.ts'
import type { StateTerms } from '../maintenance/restoreState.ts'
import { toHex } from '../primitives/hex.ts'
import type { CommandContext } from './command.ts'
import { createProgressBar } from './progressBar.ts'
import { progressOutput } from './progressOutput.ts'

export interface BackupChoice {
  readonly to: string
  /** Only the newest state and headers. */
  readonly isState: boolean
  readonly withKey: boolean
}

/** Makes a backup, with a progress bar; returns the exit code. */
export async function runBackup({ config, io }: CommandContext, choice: BackupChoice): Promise<number> {
  const { to, isState, withKey } = choice
  if (isState && withKey) throw usage("--state and --with-key can't be used together: a state is for others")
  const started = performance.now()
  const bar = createProgressBar(progressOutput(`Backing up to ${to}`, io))
  const onProgress = (part: string, done: number, all: number) => bar.update({ share: done / all, detail: part })
  const dataPath = resolve(config['data-path'])
  if (isState) {
    const { bytes, ...note } = await backupState(dataPath, { to: resolve(to), onProgress }).finally(bar.clear)
    const seconds = Math.ceil((performance.now() - started) / 1000)
    io.stdout(`${to}: ${headOf(note)}: ${(bytes / 2 ** 20).toFixed(1)} MiB in ${seconds} s\n`)
    return 0
  }
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
  const started = performance.now()
  const terms = await termsOf(config)
  const note = await restoreData(dataPath, {
    from: resolve(from),
    genesis: terms && toHex(genesisHashOf(terms.network)),
    maySign,
    ...(terms && { terms }),
    onProgress,
  }).finally(bar.clear)
  io.stdout(`${dataPath}: ${headOf(note)}\n`)
  if (note.kind === 'state') io.stdout(sentenceOnState(note, terms!.network, performance.now() - started))
  if (!maySign)
    io.stdout(
      'A validator signs nothing until the network has made another block. If the whole network is restored, run quoin restore --may-sign\n',
    )
  return 0
}

function headOf({ head, created }: BackupNote): string {
  return `head ${head.number} ${head.hash}, state root ${head.stateRoot}, of ${created}`
}

/** How far a state that was restored is to be believed. */
function sentenceOnState({ head }: BackupNote, { spec }: Network, milliseconds: number): string {
  const checked =
    spec.consensus.kind === 'clique'
      ? `Each header was signed by a signer. Blocks of this network are not final: compare the hash of block ${head.number} with another node`
      : `A quorum of the validators has sealed block ${head.number}, followed from the genesis block`
  return `${checked}; the root of the state was computed again. That took ${Math.ceil(milliseconds / 1000)} s. Blocks before it come from peers (--snap-history)\n`
}

/** What the genesis file and options say of states; undefined where no genesis file is given. */
async function termsOf(config: CommandContext['config']): Promise<StateTerms | undefined> {
  const file = config['genesis-file']
  if (file === undefined) return undefined
  const pastBlocks = Math.min(config['snap-history'], config['block-history'] || Number.POSITIVE_INFINITY)
  return { network: loadNetwork(file, undefined), validators: config['snap-validators'], pastBlocks }
}
