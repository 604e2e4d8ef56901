import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { besuJvm, besuSettings } from '../../bench/besuSettings.ts'
import { createBesuNetwork } from '../interop/besuNetwork.ts'
import { createRpcNode, type RpcNode } from '../interop/rpcNode.ts'

/** Validators that run; calls go to the first. */
export interface PeriodNetwork {
  readonly urls: readonly string[]
  /** Of the first. */
  readonly wsPort: number
  readonly pids: readonly number[]
  call: RpcNode['call']
}

/** Does something with a network once its nodes answer, and ends it. */
export type WithPeriodNetwork = (action: (network: PeriodNetwork) => Promise<void>) => Promise<void>

const basePort = 25_600
const validators = [0, 1, 2, 3]

/** Four validators of Besu, where they can with a block each so many milliseconds. */
export function besuNetwork({
  folder,
  peersDir,
  version,
  period,
}: {
  readonly folder: string
  readonly peersDir: string
  readonly version: string
  /** Milliseconds. */
  readonly period: number
}): WithPeriodNetwork {
  return async (action) => {
    const dir = join(folder, `besu-${version}-${period}`)
    const network = createBesuNetwork({
      ...{ peersDir, folder: dir, type: 'qbft', nodes: validators.length, basePort, version },
      options: besuSettings,
      jvm: besuJvm,
    })
    if (period < 1000) setPeriod(network.genesisFile, period)
    try {
      network.start(...validators)
      await action({
        urls: network.nodes.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`),
        wsPort: basePort + 1,
        pids: validators.map((i) => Number(readFileSync(join(dir, `node${i}/pid`), 'utf8'))),
        call: createRpcNode('Besu', basePort).call,
      })
    } finally {
      network.stop()
    }
  }
}

/** The block of the genesis file does not depend on it. */
function setPeriod(genesisFile: string, milliseconds: number): void {
  const genesis = JSON.parse(readFileSync(genesisFile, 'utf8'))
  genesis.config.qbft.xblockperiodmilliseconds = milliseconds
  writeFileSync(genesisFile, JSON.stringify(genesis, null, 2))
}
