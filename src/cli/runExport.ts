import { resolve } from 'node:path'
import { exportBlocks } from '../blockfiles/exportBlocks.ts'
import { devChainOf } from '../chainData/devChain.ts'
import { loadNetwork } from '../chainData/network.ts'
import { openChain } from '../chainData/openChain.ts'
import type { CommandContext } from './command.ts'
import { createProgressBar } from './progressBar.ts'
import { progressOutput } from './progressOutput.ts'

export interface ExportRequest {
  readonly to: string
  readonly append: boolean
  readonly startBlock: bigint
  readonly endBlock: bigint | undefined
  readonly stop: AbortSignal
}

/** Exports blocks to a file; returns false if stopped, in which case the file is unchanged. */
export async function runExport({ config, io }: CommandContext, request: ExportRequest): Promise<boolean> {
  const { to, startBlock, stop } = request
  const offline = await openChain({
    dataPath: resolve(config['data-path']),
    network: loadNetwork(config['genesis-file'], config['network-id'], devChainOf(config)),
    keepRevertReasons: config['revert-reason-enabled'],
    checkWork: false,
  })
  const bar = createProgressBar(progressOutput(`Exporting to ${to}`, io))
  try {
    const { exported, wanted } = await exportBlocks(offline.chain, to, {
      ...request,
      onProgress: (done) => bar.update({ share: done.exported / done.wanted, blocks: done.exported, gas: 0n }),
    }).finally(bar.clear)
    if (stop.aborted) {
      io.stdout(`Stopped: ${to} is unchanged\n`)
      return false
    }
    if (exported < wanted)
      io.stderr(`Block ${startBlock + BigInt(exported)} does not exist: the export ends before it\n`)
    io.stdout(`${exported} blocks exported to ${to}\n`)
    return true
  } finally {
    await offline.close()
  }
}
