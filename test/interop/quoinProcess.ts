import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'

/** The compiled command line. */
export const quoinProgram = join(packageRoot, 'dist/src/cli/main.js')

export interface QuoinOptions {
  readonly name: string
  /** Data path; with the key, if it must have a certain one. */
  readonly folder: string
  /** The development network when left out. */
  readonly genesisFile?: string
  readonly httpPort: number
  readonly p2pPort: number
  /** Groups of methods; the usual ones when left out. */
  readonly apis?: string
  /** None when left out. */
  readonly minGasPrice?: number
}

const usualApis = 'ADMIN,CLIQUE,DEBUG,ETH,IBFT,NET,PERM,QBFT,TXPOOL,WEB3'

export function createQuoinProcess(options: QuoinOptions): NodeProcess {
  const { name, folder, genesisFile, httpPort, p2pPort, apis = usualApis, minGasPrice = 0 } = options
  return createNodeProcess({
    name,
    httpPort,
    logFile: join(folder, 'quoin.log'),
    command: process.execPath,
    args: [
      quoinProgram,
      genesisFile === undefined ? '--dev-fork=london' : `--genesis-file=${genesisFile}`,
      `--data-path=${folder}`,
      '--p2p-interface=127.0.0.1',
      `--p2p-port=${p2pPort}`,
      '--rpc-http-enabled',
      `--rpc-http-port=${httpPort}`,
      `--rpc-http-api=${apis}`,
      `--min-gas-price=${minGasPrice}`,
    ],
  })
}
