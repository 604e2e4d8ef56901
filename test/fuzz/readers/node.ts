import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { childrenOf } from '../../support/childrenOf.ts'
import { freePort } from '../../support/freePort.ts'

/** A node with readers in a process of its own. */
export interface ReadersNode {
  readonly url: string
  readonly wsUrl: string
  readonly graphqlUrl: string
  /** Processes of its readers that run. */
  readers(): number[]
  isRunning(): boolean
  stop(): Promise<void>
}

const program = join(packageRoot, 'dist/src/cli/main.js')

/** Seconds after which a reader that does not answer is replaced. */
export const callSeconds = 5

/** A development network that makes a block for each transaction. */
export async function startReadersNode(folder: string, readers: number): Promise<ReadersNode> {
  const [http, ws, graphql] = [await freePort(), await freePort(), await freePort()]
  const apis = 'ETH,DEBUG,TRACE'
  const child: ChildProcess = spawn(
    process.execPath,
    [
      program,
      `--data-path=${folder}`,
      ...[`--rpc-http-port=${http}`, `--rpc-ws-port=${ws}`, `--graphql-http-port=${graphql}`],
      ...[`--rpc-http-api=${apis}`, `--rpc-ws-api=${apis}`, '--logging=WARN', '--dev-accounts=20'],
      ...['--rpc-http-max-active-connections=500', '--rpc-ws-max-active-connections=500'],
      ...[`--rpc-readers=${readers}`, `--rpc-reader-timeout-seconds=${callSeconds}`],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${http}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('the node does not start')
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
    if (
      await fetch(url, { method: 'POST', body }).then(
        () => true,
        () => false,
      )
    )
      break
    await delay(100)
  }
  return {
    url,
    wsUrl: `ws://127.0.0.1:${ws}`,
    graphqlUrl: `http://127.0.0.1:${graphql}/graphql`,
    readers: () => childrenOf(child.pid!),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
