import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { freePort } from '../support/freePort.ts'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import { quoinProgram } from './quoinProcess.ts'
import { eventually, heightOf } from './rpcNode.ts'
import { stopAll } from './stopAll.ts'

/** A Quoin that tools of developers talk to, as its users start it. */
export interface ToolChain {
  readonly name: string
  readonly url: string
  readonly wsUrl: string
  call: NodeProcess['call']
}

/** Accounts with much ether on each of these chains. */
export const accounts = devAccounts.slice(1).map(({ address, privateKey }) => ({
  address: `0x${address}`,
  key: `0x${privateKey}`,
}))

/** Does something with a started process, once it answers. */
async function withProcess<T extends ToolChain>(node: NodeProcess, chain: T, action: (chain: T) => Promise<void>) {
  await stopAll([node], async () => {
    node.start()
    await eventually(`${node.name} answers`, async () => (await heightOf(node)) >= 0)
    await action(chain)
  })
}

/** Does something with a development network: `quoin` with nothing but its ports, its folder and these options. */
export async function withDevChain(
  folder: string,
  action: (chain: ToolChain) => Promise<void>,
  options: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const httpPort = await freePort()
  const wsPort = httpPort + 1
  const node = createNodeProcess({
    name: 'dev',
    httpPort,
    logFile: join(folder, 'dev.log'),
    command: process.execPath,
    env: { ...process.env, ...env },
    args: [
      quoinProgram,
      `--data-path=${join(folder, 'dev')}`,
      `--rpc-http-port=${httpPort}`,
      `--rpc-ws-port=${wsPort}`,
      ...(options.includes('--graphql-http-enabled') ? [] : ['--graphql-http-enabled=false']),
      ...options,
    ],
  })
  const url = `http://127.0.0.1:${httpPort}`
  await withProcess(node, { name: 'dev', url, wsUrl: `ws://127.0.0.1:${wsPort}`, call: node.call }, action)
}

/** Does something with a validator of `quoin network` that makes a block a second. */
export async function withQbftChain(
  folder: string,
  action: (chain: ToolChain) => Promise<void>,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const httpPort = await freePort()
  const node = createNodeProcess({
    name: 'qbft',
    httpPort,
    logFile: join(folder, 'qbft.log'),
    command: process.execPath,
    env: { ...process.env, ...env },
    args: [quoinProgram, 'network', '--validators=1', `--base-port=${httpPort}`, `--dir=${join(folder, 'qbft')}`],
  })
  const url = `http://127.0.0.1:${httpPort}`
  await withProcess(node, { name: 'qbft', url, wsUrl: `ws://127.0.0.1:${httpPort + 1}`, call: node.call }, action)
}

/** Does something with `quoin signer --dev` in front of a chain; it has the same methods, and accounts. */
export async function withSigner(
  folder: string,
  chain: ToolChain,
  action: (signer: ToolChain) => Promise<void>,
  options: readonly string[] = [],
): Promise<void> {
  const port = await freePort()
  const node = createNodeProcess({
    name: 'signer',
    httpPort: port,
    logFile: join(folder, 'signer.log'),
    command: process.execPath,
    args: [
      quoinProgram,
      'signer',
      '--dev',
      `--node=${chain.url}`,
      `--node-ws=${chain.wsUrl}`,
      `--port=${port}`,
      ...options,
    ],
  })
  const name = `${chain.name} signer`
  await withProcess(
    node,
    { name, url: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}`, call: node.call },
    action,
  )
}
