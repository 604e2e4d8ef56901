import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createAskNode, isNode } from '../blockfiles/askNode.ts'
import { keyPlaceOf } from '../chainData/keyPlace.ts'
import { loadNetwork } from '../chainData/network.ts'
import { failed, usage } from '../config/fault.ts'
import type { Config } from '../config/options.ts'
import { type ImportedFile, importInThread } from '../importing/importThread.ts'
import { readPrivateKey } from '../keys/nodeKey.ts'
import { readKeystores } from '../keys/readKeystores.ts'
import { findForeignData, programNames, refuseForeignData } from '../migration/foreignData.ts'
import { emptyFolder, type ForeignFolder, type ForeignProgram, lookIntoFolder } from '../migration/foreignFolder.ts'
import { keepApart, takeFile, takeKey, takeStaticNodes } from '../migration/takeFiles.ts'
import { toHex } from '../primitives/hex.ts'
import type { CommandContext } from './command.ts'
import { commandLine } from './commandLine.ts'
import { createProgressBar } from './progressBar.ts'
import { progressOutput } from './progressOutput.ts'

export interface MigrateRequest {
  readonly program: ForeignProgram
  /** Data folder, or URL of the JSON-RPC. */
  readonly source: string
  /** File, URL or socket; undefined means the running node. */
  readonly blocksFrom: string | undefined
  /** Password of the account whose key is taken instead of the node's. */
  readonly passwordFile: string | undefined
  readonly keystore: string | undefined
  readonly stop: AbortSignal
}

/** Moves a node over; returns the exit code. */
export async function runMigrate(call: CommandContext, request: MigrateRequest): Promise<number> {
  const { config, io } = call
  const { program, source, stop } = request
  const dataPath = resolve(config['data-path'])
  const isRunning = isNode(source)
  const found = isRunning ? emptyFolder : openFolder(program, resolve(source), dataPath)
  const blocksFrom = checkBlocksFrom(request.blocksFrom) ?? (isRunning ? source : found.rpc)
  refuseForeignData(dataPath, config['genesis-file'])
  const genesisFile = config['genesis-file'] ?? found.genesisFile
  if (genesisFile === undefined) throw missingGenesis(program, source)
  // Finds a genesis file that is invalid before anything is written.
  const { spec } = loadNetwork(genesisFile, config['network-id'])
  const say = (text: string) => io.stdout(`${text}\n`)
  const key = await readKey(found, request, config)
  if (key) say(await takeKey(key.key, key.file, keyPlaceOf(config, dataPath)))
  takeLists(found, dataPath).forEach(say)
  if (spec.consensus.kind === 'clique' && program === 'geth' && found.keystore && request.passwordFile === undefined)
    say(
      `geth signs blocks with an account of ${found.keystore}: --password-file takes its key, without it the node only follows`,
    )
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
  if (key)
    say(`Stop ${programNames[program]} before the new node starts: two nodes with the same key must never run together`)
  const networkId = config['network-id'] === undefined ? await networkIdOf(found, blocksFrom, stop) : undefined
  const instead = {
    'data-path': dataPath,
    'genesis-file': ownGenesis,
    ...(networkId !== undefined && networkId !== spec.chainId && { 'network-id': String(networkId) }),
  }
  say(`Start the node with:\n  ${commandLine(call.given, instead)}`)
  return 0
}

/** The network ID that peers must have: what the running node says, or else the configuration file. */
async function networkIdOf(
  { networkId }: ForeignFolder,
  from: string | undefined,
  stop: AbortSignal,
): Promise<bigint | undefined> {
  if (from === undefined || !isNode(from)) return networkId
  // Its API may not include NET.
  return createAskNode(
    from,
    stop,
  )('net_version').then(
    (version) => BigInt(String(version)),
    () => networkId,
  )
}

/** The key of the new node, and the file that it is from; undefined if options name another, or if there is none. */
async function readKey(
  found: ForeignFolder,
  request: MigrateRequest,
  config: Config,
): Promise<{ readonly key: Uint8Array; readonly file: string } | undefined> {
  const { keyFile, keystore: folder } = found
  const { passwordFile, keystore = folder } = request
  if (config['node-private-key-file'] !== undefined) return undefined
  if (passwordFile === undefined)
    return keyFile === undefined ? undefined : { key: await readPrivateKey({ path: keyFile }), file: keyFile }
  if (keystore === undefined) throw failed(`There is no keystore at ${request.source}: name the file by --keystore`)
  const [key, other] = await readKeystores(keystore, passwordFile)
  if (!key || other) throw failed(`${keystore} has several accounts: name the file of one by --keystore`)
  return { key, file: keystore }
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
  if (from !== undefined && !isNode(from) && !existsSync(from)) throw failed(`Could not find file to import: ${from}`)
  return from
}

function missingGenesis(program: ForeignProgram, source: string): Error {
  const hint =
    program === 'besu'
      ? 'It is the one that Besu was started with'
      : 'geth prints it: geth --datadir <DIR> dumpgenesis > genesis.json'
  return usage(`There is no genesis.json at ${source}: name it by --genesis-file before 'migrate'.`, hint)
}

/** Takes static nodes and allowlists; returns what was done. */
function takeLists({ staticNodes, permissionsFile }: ForeignFolder, dataPath: string): string[] {
  const done: string[] = []
  if (staticNodes) done.push(takeStaticNodes(staticNodes, dataPath))
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
