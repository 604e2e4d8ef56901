import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createRpcNode, type RpcNode } from './rpcNode.ts'

/** A real node of any make in a process of its own, which can be ended at any moment and started again. */
export interface NodeProcess extends RpcNode {
  /** With these options beside the usual ones, this time. */
  start(...options: readonly string[]): void
  /** Undefined while it does not run. */
  pid(): number | undefined
  /** The end that a power failure would be. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface NodeProcessOptions {
  readonly name: string
  /** This machine's own address when left out. */
  readonly httpHost?: string
  readonly httpPort: number
  readonly logFile: string
  readonly command: string
  readonly args: readonly string[]
  /** Where it runs; here when left out. */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Milliseconds that a node may take to end in order. */
const patience = 30_000

const running = new Set<ChildProcess>()

// Nobody is left behind when the test itself is ended.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A node that is not started yet; `command` has to become the node itself, not its parent. */
export function createNodeProcess(terms: NodeProcessOptions): NodeProcess {
  const { name, httpHost, httpPort, logFile, command, args, cwd, env = process.env } = terms
  let child: ChildProcess | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || !running.has(child)) return
    const ended = once(child, 'exit')
    child.kill(signal)
    const late = setTimeout(() => child?.kill('SIGKILL'), patience)
    await ended
    clearTimeout(late)
  }

  return {
    ...createRpcNode(name, httpPort, httpHost),
    start(...options) {
      const log = openSync(logFile, 'a')
      const started = spawn(command, [...args, ...options], { cwd, env, stdio: ['ignore', log, log] })
      closeSync(log)
      running.add(started)
      started.on('exit', () => running.delete(started))
      child = started
    },
    pid: () => (child && running.has(child) ? child.pid : undefined),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
