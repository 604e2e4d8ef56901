import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NetworkPlan, nodeFolder, portsOf } from './networkPlan.ts'

const program = fileURLToPath(new URL('../main.js', import.meta.url))
const apis = ['ETH', 'NET', 'WEB3', 'ADMIN', 'DEBUG', 'MINER', 'TRACE', 'TXPOOL']
/** Megabytes of each half of the young generation: nodes that share a machine save memory by a smaller one than usual. */
const semiSpace = 4
/** Milliseconds that a node has to end in order. */
const patience = 15_000

/** A node of the network in a process of its own; what it says goes to `node.log` in its folder. */
export interface NodeProcess {
  readonly url: string
  readonly pid: number
  isRunning(): boolean
  /** The end of its log, for when it went down by itself. */
  lastWords(): string
  stop(): Promise<void>
}

export function startNodeProcess(dir: string, plan: NetworkPlan, node: number): NodeProcess {
  const folder = nodeFolder(dir, node)
  const ports = portsOf(plan, node)
  const api = [...apis, plan.consensus === 'ibft2' ? 'IBFT' : plan.consensus.toUpperCase()].join()
  const logFile = join(folder, 'node.log')
  const log = openSync(logFile, 'a')
  const child = spawn(
    process.execPath,
    [
      `--max-semi-space-size=${semiSpace}`,
      program,
      `--genesis-file=${join(dir, 'genesis.json')}`,
      `--data-path=${folder}`,
      `--p2p-port=${ports.p2p}`,
      '--discovery-enabled=false',
      `--rpc-http-enabled`,
      `--rpc-http-port=${ports.http}`,
      `--rpc-http-api=${api}`,
      '--rpc-ws-enabled',
      `--rpc-ws-port=${ports.ws}`,
      `--rpc-ws-api=${api}`,
      '--graphql-http-enabled',
      `--graphql-http-port=${ports.graphql}`,
      '--min-gas-price=0',
    ],
    // A session of its own: Ctrl+C is for the one who started the network, and the nodes are stopped in order.
    { stdio: ['ignore', log, log], detached: true },
  )
  closeSync(log)
  const ended = once(child, 'exit')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    url: `http://127.0.0.1:${ports.http}`,
    pid: child.pid ?? 0,
    isRunning,
    lastWords: () => endOf(logFile),
    async stop() {
      if (!isRunning()) return
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), patience)
      await ended
      clearTimeout(force)
    },
  }
}

/** The last line of a text file that is not indented, as the lines of a stack are. */
function endOf(path: string): string {
  const { size } = statSync(path)
  const buffer = Buffer.alloc(Math.min(size, 2000))
  const file = openSync(path, 'r')
  readSync(file, buffer, 0, buffer.length, size - buffer.length)
  closeSync(file)
  return (
    buffer
      .toString()
      .trimEnd()
      .split('\n')
      .findLast((line) => /^\S/.test(line)) ?? ''
  )
}
