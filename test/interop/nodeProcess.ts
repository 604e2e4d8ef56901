import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createRpcNode, type RpcNode } from './rpcNode.ts'

/** A real node of any make in a process of its own, which can be ended at any moment and started again. */
export interface NodeProcess extends RpcNode {
  /** With these options beside the usual ones, this time. */
  start(...options: readonly string[]): void
  /** The end that a power failure would be. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface NodeProcessOptions {
  readonly name: string
  readonly httpPort: number
  readonly logFile: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

/** A node that is not started yet; `command` has to become the node itself, not its parent. */
export function createNodeProcess(terms: NodeProcessOptions): NodeProcess {
  const { name, httpPort, logFile, command, args, env = process.env } = terms
  let child: ChildProcess | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  return {
    ...createRpcNode(name, httpPort),
    start(...options) {
      const log = openSync(logFile, 'a')
      child = spawn(command, [...args, ...options], { env, stdio: ['ignore', log, log] })
      closeSync(log)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
