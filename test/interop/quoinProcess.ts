import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

/** A real node in a process of its own, which can be ended at any moment and started again. */
export interface QuoinProcess {
  readonly url: string
  start(): void
  /** The end that a power failure would be. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface QuoinOptions {
  readonly folder: string
  readonly genesisFile: string
  readonly httpPort: number
  readonly p2pPort: number
  readonly options?: readonly string[]
}

export function createQuoinProcess({
  folder,
  genesisFile,
  httpPort,
  p2pPort,
  options = [],
}: QuoinOptions): QuoinProcess {
  let child: ChildProcess | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  return {
    url: `http://127.0.0.1:${httpPort}`,
    start() {
      const log = openSync(join(folder, 'quoin.log'), 'a')
      child = spawn(
        process.execPath,
        [
          program,
          `--genesis-file=${genesisFile}`,
          `--data-path=${folder}`,
          `--p2p-port=${p2pPort}`,
          '--rpc-http-enabled',
          `--rpc-http-port=${httpPort}`,
          '--rpc-http-api=ADMIN,CLIQUE,DEBUG,ETH,IBFT,NET,QBFT,TXPOOL,WEB3',
          '--min-gas-price=0',
          ...options,
        ],
        { stdio: ['ignore', log, log] },
      )
      closeSync(log)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
