import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { localOrigins } from '../../config/devDefaults.ts'
import { builtProgram } from '../../primitives/packageRoot.ts'
import { lastErrorOf } from './lastError.ts'
import { type NetworkPlan, nodeFolder, portsOf } from './networkPlan.ts'

const apis = ['ETH', 'NET', 'WEB3', 'ADMIN', 'DEBUG', 'MINER', 'OTS', 'TRACE', 'TXPOOL']
/** --max-semi-space-size in megabytes: smaller than usual, because the nodes share a machine. */
const semiSpace = 8
/** V8's threads, which collect garbage and compile: those of four nodes on two cores make each other, and clients, wait. */
const maxHelpers = 4
/** Milliseconds before a node that does not stop is killed. */
const stopTime = 15_000

/** A node in its own process; its output goes to `node.log` in its directory. */
export interface NodeProcess {
  readonly url: string
  readonly pid: number
  isRunning(): boolean
  /** Why it exited: its exit code or signal, and the last error in its log. */
  exitReason(): string
  stop(): Promise<void>
}

function privacyOptions(plan: NetworkPlan, node: number): string[] {
  const others = plan.nodes.flatMap((_, i) => (i === node ? [] : `http://127.0.0.1:${portsOf(plan, i).manager}/`))
  return [
    '--privacy-enabled',
    `--privacy-manager-peer-port=${portsOf(plan, node).manager}`,
    ...(others.length > 0 ? [`--privacy-manager-peers=${others.join()}`] : []),
  ]
}

/** The namespaces that the nodes of a network serve. */
export function networkApis(plan: NetworkPlan): readonly string[] {
  const consensus = plan.consensus === 'ibft2' ? 'IBFT' : plan.consensus.toUpperCase()
  return [...apis, ...(plan.privacy ? ['EEA', 'PRIV'] : []), consensus]
}

export function startNodeProcess(dir: string, plan: NetworkPlan, node: number): NodeProcess {
  const folder = nodeFolder(dir, node)
  const ports = portsOf(plan, node)
  const api = networkApis(plan).join()
  const logFile = join(folder, 'node.log')
  const helpers = Math.max(1, Math.min(maxHelpers, Math.floor(availableParallelism() / plan.nodes.length)))
  const log = openSync(logFile, 'a')
  const logStart = fstatSync(log).size
  const child = spawn(
    process.execPath,
    [
      `--max-semi-space-size=${semiSpace}`,
      `--v8-pool-size=${helpers}`,
      builtProgram,
      `--genesis-file=${join(dir, 'genesis.json')}`,
      `--data-path=${folder}`,
      '--p2p-interface=127.0.0.1',
      `--p2p-port=${ports.p2p}`,
      '--discovery-enabled=false',
      `--rpc-http-enabled`,
      `--rpc-http-port=${ports.http}`,
      `--rpc-http-api=${api}`,
      '--rpc-ws-enabled',
      `--rpc-ws-port=${ports.ws}`,
      `--rpc-ws-api=${api}`,
      `--rpc-http-cors-origins=${localOrigins.join()}`,
      '--rpc-max-logs-range=0',
      '--graphql-http-enabled',
      `--graphql-http-cors-origins=${localOrigins.join()}`,
      `--graphql-http-port=${ports.graphql}`,
      '--min-gas-price=0',
      ...(plan.privacy ? privacyOptions(plan, node) : []),
    ],
    // Its own session: Ctrl+C reaches only the parent process, which stops the nodes cleanly.
    {
      stdio: ['ignore', log, log],
      detached: true,
      // If this process is killed, its nodes stop by themselves.
      env: { ...process.env, QUOIN_STOP_WITH_PID: String(process.pid) },
    },
  )
  closeSync(log)
  const ended = once(child, 'exit')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    url: `http://127.0.0.1:${ports.http}`,
    pid: child.pid ?? 0,
    isRunning,
    exitReason() {
      const end = child.signalCode === null ? `exit code ${child.exitCode}` : `killed by ${child.signalCode}`
      const error = lastErrorOf(logFile, logStart)
      return error === undefined ? end : `${end}: ${error}`
    },
    async stop() {
      if (!isRunning()) return
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), stopTime)
      await ended
      clearTimeout(force)
    },
  }
}
