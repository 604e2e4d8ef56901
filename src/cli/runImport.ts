import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { createBlockSealer } from '../blockfiles/blockSealer.ts'
import { makeJsonBlocks } from '../blockfiles/makeJsonBlocks.ts'
import { devChainOf } from '../chainData/devChain.ts'
import { keyPlaceOf } from '../chainData/keyPlace.ts'
import { loadNetwork } from '../chainData/network.ts'
import { type OpenChain, openChain } from '../chainData/openChain.ts'
import { servesOts } from '../config/explorerOptions.ts'
import { failed } from '../config/fault.ts'
import { type ImportedFile, type ImportListener, importInThread } from '../importing/importThread.ts'
import { loadOrCreateNodeKey } from '../keys/nodeKey.ts'
import { toHex } from '../primitives/hex.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import type { CommandContext } from './command.ts'
import { createProgressBar } from './progressBar.ts'
import { progressOutput } from './progressOutput.ts'

export interface ImportRequest {
  readonly files: readonly string[]
  readonly format: 'RLP' | 'JSON'
  readonly startBlock: bigint
  readonly endBlock: bigint | undefined
  /** Undefined means now. */
  readonly startTime: bigint | undefined
  readonly checkWork: boolean
  readonly stop: AbortSignal
}

/** Imports files into the data directory; returns false if it was stopped. */
export async function runImport(call: CommandContext, request: ImportRequest): Promise<boolean> {
  // Checks that all files exist before anything is written.
  for (const file of request.files)
    if (!statSync(file, { throwIfNoEntry: false })) throw failed(`Could not find file to import: ${file}`)
  return request.format === 'RLP' ? importRlp(call, request) : importJson(call, request)
}

async function importRlp({ config, io }: CommandContext, request: ImportRequest): Promise<boolean> {
  const { files, startBlock, endBlock, checkWork, stop } = request
  const job = {
    chain: {
      dataPath: resolve(config['data-path']),
      keepRevertReasons: config['revert-reason-enabled'],
      indexLogs: config['auto-log-bloom-caching-enabled'],
      indexAccounts: servesOts(config),
      checkWork,
    },
    genesisFile: config['genesis-file'],
    networkId: config['network-id'],
    dev: devChainOf(config),
    files,
    startBlock,
    endBlock,
  }
  const barOf = (file: string) => createProgressBar(progressOutput(`Importing ${basename(file)}`, io))
  let current = 0
  let bar = barOf(files[current]!)
  const listener: ImportListener = {
    onProgress: (_, { imported, known, gas, share }) => bar.update({ share, blocks: imported + known, gas }),
    onImported(file, outcome) {
      bar.clear()
      io.stdout(`${stop.aborted ? 'Stopped: ' : ''}${importedText(file, outcome)}\n`)
      const next = files[++current]
      if (next !== undefined) bar = barOf(next)
    },
  }
  await importInThread(job, listener, stop).finally(() => bar.clear())
  return !stop.aborted
}

function importedText(file: string, { imported, known, gas, seconds, head }: ImportedFile): string {
  const speed = gas ? `, ${(Number(gas) / 1e6 / seconds).toFixed(1)} Mgas/s` : ''
  const others = known ? `, ${known} known blocks skipped` : ''
  return `${imported} blocks imported from ${file} in ${seconds.toFixed(1)} s${speed}${others}; ${headText(head)}`
}

async function importJson({ config, io }: CommandContext, { files, startTime, stop }: ImportRequest): Promise<boolean> {
  const dataPath = resolve(config['data-path'])
  const network = loadNetwork(config['genesis-file'], config['network-id'], devChainOf(config))
  const isSealing = network.spec.consensus.kind === 'clique'
  if (isSealing && config['security-module'] !== 'localfile')
    throw failed(
      'Blocks in JSON are sealed with the key of the node, which has to be in a file: leave out --security-module',
    )
  const nodeKey = await loadOrCreateNodeKey(keyPlaceOf(config, dataPath))
  const offline = await openChain({
    dataPath,
    network,
    keepRevertReasons: config['revert-reason-enabled'],
    indexLogs: config['auto-log-bloom-caching-enabled'],
    indexAccounts: servesOts(config),
    checkWork: true,
    ...(isSealing && { producer: privateKeyToAddress(nodeKey) }),
  })
  try {
    const sealer = createBlockSealer(network.spec, offline.consensus, nodeKey, !network.isDev)
    let time = startTime ?? BigInt(Math.floor(Date.now() / 1000))
    for (const file of files) {
      const bar = createProgressBar(progressOutput(`Importing ${basename(file)}`, io))
      const made = await makeJsonBlocks(
        file,
        { chain: offline.chain, sealer },
        {
          startTime: time,
          stop,
          onProgress: (blocks, wanted, gas) => bar.update({ share: blocks / wanted, blocks, gas }),
        },
      ).finally(bar.clear)
      time += BigInt(made)
      io.stdout(`${stop.aborted ? 'Stopped: ' : ''}${made} blocks made from ${file}; ${headOf(offline)}\n`)
      if (stop.aborted) return false
    }
    return true
  } finally {
    await offline.close()
  }
}

function headOf({ chain }: OpenChain): string {
  const { header, hash } = chain.head()
  return headText({ number: header.number, hash })
}

function headText({ number, hash }: Pick<ImportedFile['head'], 'number' | 'hash'>): string {
  return `head is block ${number} (${toHex(hash)})`
}
