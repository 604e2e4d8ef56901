import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isNodeUrl } from '../blockfiles/readNodeBlocks.ts'
import { failed, usage } from '../config/fault.ts'
import type { Config } from '../config/options.ts'
import { type ImportedFile, importInThread } from '../node/importThread.ts'
import { findForeignData, programNames, refuseForeignData } from '../node/moving/foreignData.ts'
import { type ForeignFolder, type ForeignProgram, lookIntoFolder } from '../node/moving/foreignFolder.ts'
import { keepApart, takeFile, takeKey, takeStaticNodes } from '../node/moving/takeFiles.ts'
import { loadNetwork } from '../node/network.ts'
import { toHex } from '../primitives/hex.ts'
import type { CommandContext } from './command.ts'
import { commandLine } from './commandLine.ts'
import { createProgressBar } from './progressBar.ts'
import { progressOutput } from './progressOutput.ts'

export interface MigrateRequest {
  readonly program: ForeignProgram
  /** Data folder, or URL of the JSON-RPC. */
  readonly source: string
  /** File or URL; undefined means the running node. */
  readonly blocksFrom: string | undefined
  readonly stop: AbortSignal
}

const emptyFolder: ForeignFolder = {
  keyFile: undefined,
  genesisFile: undefined,
  staticNodesFile: undefined,
  permissionsFile: undefined,
  rpcUrl: undefined,
}

/** Moves a node over; returns the exit code. */
export async function runMigrate(call: CommandContext, request: MigrateRequest): Promise<number> {
  const { config, io } = call
  const { program, source, stop } = request
  const dataPath = resolve(config['data-path'])
  const isUrl = isNodeUrl(source)
  const found = isUrl ? emptyFolder : openFolder(program, resolve(source), dataPath)
  const blocksFrom = checkBlocksFrom(request.blocksFrom) ?? (isUrl ? source : found.rpcUrl)
  refuseForeignData(dataPath, config['genesis-file'])
  const genesisFile = config['genesis-file'] ?? found.genesisFile
  if (genesisFile === undefined) throw missingGenesis(program, source)
  // Finds a genesis file that is invalid before anything is written.
  loadNetwork(genesisFile, config['network-id'])
  const say = (text: string) => io.stdout(`${text}\n`)
  takeAll(found, config, dataPath).forEach(say)
  const ownGenesis = config['genesis-file'] ?? takeGenesis(genesisFile, dataPath, say)

  if (blocksFrom === undefined)
    say(
      `${programNames[program]} does not run on ${source}, and no --blocks-from is given: ` +
        'no blocks were copied; the node gets them from its peers',
    )
  else {
    const outcome = await copyBlocks(call, ownGenesis, blocksFrom, stop)
    if (stop.aborted || !outcome) {
      say('Stopped. The same command goes on from here')
      return 1
    }
    const { imported, known, seconds, head } = outcome
    const before = known > 0 ? `, ${known} known blocks skipped` : ''
    say(`${imported} blocks copied from ${blocksFrom} in ${seconds.toFixed(1)} s${before}`)
    say(
      `head is block ${head.number} (${toHex(head.hash)}); ` +
        `executing every block led to its state root ${toHex(head.stateRoot)}`,
    )
  }
  if (found.keyFile !== undefined)
    say(`Stop ${programNames[program]} before the new node starts: two nodes with the same key must never run together`)
  say(`Start the node with:\n  ${commandLine(call.given, { 'data-path': dataPath, 'genesis-file': ownGenesis })}`)
  return 0
}

function openFolder(program: ForeignProgram, folder: string, dataPath: string): ForeignFolder {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw failed(`${folder} is not a folder, nor an http:// or https:// URL`)
  keepApart(folder, dataPath)
  const found = lookIntoFolder(program, folder)
  const data = findForeignData(folder)
  if (data !== undefined && data !== program)
    throw failed(`${folder} is a data folder of ${programNames[data]}: use --from-${data}`)
  if (data === undefined && found.keyFile === undefined)
    throw failed(`${folder} is not a data folder of ${programNames[program]}: it has neither a database nor a key`)
  return found
}

function checkBlocksFrom(from: string | undefined): string | undefined {
  if (from !== undefined && !isNodeUrl(from) && !existsSync(from))
    throw failed(`Could not find file to import: ${from}`)
  return from
}

function missingGenesis(program: ForeignProgram, source: string): Error {
  const hint =
    program === 'besu'
      ? 'It is the one that Besu was started with'
      : 'geth prints it: geth --datadir <DIR> dumpgenesis > genesis.json'
  return usage(`There is no genesis.json at ${source}: name it by --genesis-file before 'migrate'.`, hint)
}

/** Takes key, static nodes and allowlists, unless options name others; returns what was done. */
function takeAll(found: ForeignFolder, config: Config, dataPath: string): string[] {
  const { keyFile, staticNodesFile, permissionsFile } = found
  const done: string[] = []
  if (keyFile !== undefined && config['node-private-key-file'] === undefined) done.push(takeKey(keyFile, dataPath))
  if (staticNodesFile !== undefined) done.push(takeStaticNodes(staticNodesFile, dataPath))
  if (permissionsFile !== undefined)
    done.push(`allowlists: ${takeFile(permissionsFile, join(dataPath, 'permissions_config.toml'))}`)
  return done
}

function takeGenesis(from: string, dataPath: string, say: (text: string) => void): string {
  const to = join(dataPath, 'genesis.json')
  say(`genesis file: ${takeFile(from, to)}`)
  return to
}

async function copyBlocks(
  { config, io }: CommandContext,
  genesisFile: string,
  from: string,
  stop: AbortSignal,
): Promise<ImportedFile | undefined> {
  const job = {
    chain: {
      dataPath: resolve(config['data-path']),
      keepRevertReasons: config['revert-reason-enabled'],
      indexLogs: config['auto-log-bloom-caching-enabled'],
      checkWork: true,
    },
    genesisFile,
    networkId: config['network-id'],
    files: [from],
    startBlock: 0n,
    endBlock: undefined,
  }
  const bar = createProgressBar(progressOutput(`Copying blocks from ${from}`, io))
  let outcome: ImportedFile | undefined
  await importInThread(
    job,
    {
      onProgress: (_, { imported, known, gas, share }) => bar.update({ share, blocks: imported + known, gas }),
      onImported(_, imported) {
        outcome = imported
      },
    },
    stop,
  ).finally(() => bar.clear())
  return outcome
}
