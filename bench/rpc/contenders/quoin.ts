import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '../../../src/primitives/hex.ts'
import { freePort } from '../../../test/support/freePort.ts'
import { devSetupBlocks } from '../../content/contentMakers.ts'
import { prepareContent } from '../../content/prepareContent.ts'
import { signerKey } from '../../sync/cliqueChain.ts'
import { maxConnections, quoinProgram, startQuoin, startServer } from '../servers.ts'
import type { Contender } from './contender.ts'
import { contentOf } from './contentOf.ts'

export const quoinDev: Contender = async ({ folder, peersDir, size }) => {
  const { data } = await prepareContent('dev', size)
  cpSync(data, join(folder, 'quoin'), { recursive: true })
  const wsPort = await freePort()
  const server = await startQuoin({ folder, peersDir, period: 1, wsPort })
  const content = await contentOf(size, devSetupBlocks(size.accounts) + 1)
  return { ...server, name: 'Quoin, development', wsPort, content }
}

export const quoinQbft: Contender = async ({ folder, size }) => {
  const { data, genesis } = await prepareContent('qbft', size)
  cpSync(data, folder, { recursive: true })
  writeFileSync(join(folder, 'key'), toHex(signerKey))
  const [port, wsPort, p2pPort] = [await freePort(), await freePort(), await freePort()]
  const options = [
    ...[`--genesis-file=${genesis}`, `--data-path=${folder}`, '--logging=OFF', '--min-gas-price=0'],
    ...['--p2p-interface=127.0.0.1', `--p2p-port=${p2pPort}`, '--discovery-enabled=false'],
    ...['--rpc-http-enabled', `--rpc-http-port=${port}`, '--rpc-http-api=ETH,NET,WEB3'],
    ...['--rpc-ws-enabled', `--rpc-ws-port=${wsPort}`, '--rpc-ws-api=ETH,NET,WEB3'],
    ...[`--rpc-http-max-active-connections=${maxConnections}`, '--tx-pool-max-future-by-sender=1000'],
  ]
  const server = await startServer('Quoin, QBFT', process.execPath, [quoinProgram, ...options], port)
  return { ...server, wsPort, content: await contentOf(size, 1) }
}
