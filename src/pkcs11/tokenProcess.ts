import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { workerUrl } from '../primitives/packageRoot.ts'
import type { FromToken, ToToken } from './messages.ts'

/** The process that calls the library of a token, as the node sees it. */
export interface TokenProcess {
  readonly pid: number
  send(message: ToToken): void
  /** Ends it at once, also in the middle of a call that does not return. */
  kill(): void
}

export interface TokenListener {
  onMessage(message: FromToken): void
  /** Called once; `how` is its exit code or signal. */
  onExit(how: string): void
}

/** Megabytes of JavaScript's heap. */
const heap = 64

/**
 * A process, not a thread: a library that hangs in a call can be ended, one that crashes takes nothing with it, and one that keeps keys in memory keeps
 * them out of the node's.
 */
export function startTokenProcess(listener: TokenListener): TokenProcess {
  const child = fork(fileURLToPath(workerUrl('pkcs11/tokenWorker.ts')), {
    // Not those of the node, such as the port of a debugger.
    execArgv: [`--max-old-space-size=${heap}`, '--max-semi-space-size=1', '--v8-pool-size=1'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let hasExited = false
  const exit = (how: string) => {
    if (hasExited) return
    hasExited = true
    listener.onExit(how)
  }
  child.on('message', (message) => listener.onMessage(message as FromToken))
  child.on('error', (error) => exit(error.message))
  // All that it has sent was read then, which is not so yet when it exits.
  child.on('close', (code, signal) => exit(signal ?? `exit code ${code}`))
  return {
    pid: child.pid ?? 0,
    send(message) {
      // It has ended, or is about to; `exit` says how.
      if (child.connected) child.send(message, () => {})
    },
    kill: () => child.kill('SIGKILL'),
  }
}
