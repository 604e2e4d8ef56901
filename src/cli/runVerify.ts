import { resolve } from 'node:path'
import { devChainOf } from '../chainData/devChain.ts'
import { loadNetwork } from '../chainData/network.ts'
import { repairData } from '../maintenance/repairData.ts'
import { type Finding, verifyData } from '../maintenance/verifyData.ts'
import { toHex } from '../primitives/hex.ts'
import type { CommandContext } from './command.ts'
import { createProgressBar } from './progressBar.ts'
import { progressOutput } from './progressOutput.ts'

/** Checks a database and says what is wrong and how to repair it; returns the exit code, 0 if it is sound in the end. */
export async function runVerify({ config, io }: CommandContext, repair: boolean): Promise<number> {
  const dataPath = resolve(config['data-path'])
  const network = loadNetwork(config['genesis-file'], config['network-id'], devChainOf(config))
  const bar = createProgressBar(progressOutput(`Verifying ${dataPath}`, io))
  const onProgress = (part: string, done: number, all: number) => bar.update({ share: done / all, detail: part })
  const { head, findings, first } = await verifyData(dataPath, network, onProgress).finally(bar.clear)
  if (findings.length === 0 && head) {
    const partly = first > 1 ? `; of blocks below ${first} only headers are there` : ''
    io.stdout(
      `${dataPath} is sound: head ${head.number} ${toHex(head.hash)}, state root ${toHex(head.stateRoot)}${partly}\n`,
    )
    return 0
  }
  io.stdout(`${dataPath} is damaged:\n${findings.map(({ table, text }) => `  ${table}: ${text}\n`).join('')}`)
  if (!repair) {
    io.stdout(adviceOn(findings))
    return 1
  }
  const repairing = createProgressBar(progressOutput(`Repairing ${dataPath}`, io))
  const { kept, wanted, reason, recordKept, damaged } = await repairData(dataPath, network, {
    keepRevertReasons: config['revert-reason-enabled'],
    indexLogs: config['auto-log-bloom-caching-enabled'],
    onProgress: (done, all) => repairing.update({ share: done / all, blocks: done }),
  }).finally(repairing.clear)
  io.stdout(
    `Rebuilt from its blocks: the head is block ${kept}` +
      `${reason ? `: ${reason}, and ${kept + 1 < wanted ? `blocks ${kept + 1} to ${wanted} come` : 'it comes'} from the peers` : ''}. ` +
      `The damaged database is in ${damaged}; remove it when the node runs\n`,
  )
  if (!recordKept)
    io.stdout(
      'What this node has signed as a validator is not known: it signs nothing until the network has made another block. ' +
        'If it is the only validator, run quoin restore --may-sign\n',
    )
  return 0
}

function adviceOn(findings: readonly Finding[]): string {
  const blocks = findings.some(({ table }) => ['headers', 'bodies', 'data.mdb'].includes(table))
  return (
    'Do not start a node on it. Restore a backup (quoin restore), or rebuild the database from its blocks with ' +
    `quoin verify --repair${blocks ? '; blocks that are damaged will come from the peers' : ''}\n`
  )
}
