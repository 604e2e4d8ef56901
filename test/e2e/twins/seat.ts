import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createNodeProcess, type NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'

const preload = fileURLToPath(new URL('../../chaos/preload.js', import.meta.url))

export interface SeatTerms {
  readonly name: string
  /** Its data path, its log, and what it says are below. */
  readonly folder: string
  readonly genesisFile: string
  readonly ports: { readonly http: number; readonly p2p: number }
  /** Beside the usual ones. */
  readonly options: readonly string[]
}

/** A place for a process of a node: ports and a data path, whose content comes and goes. */
export interface Seat {
  readonly name: string
  readonly data: string
  readonly logFile: string
  readonly tapFile: string
  readonly process: NodeProcess
  /** Starts it, and waits until it answers. */
  start(): Promise<void>
  /** Replaces its data by a copy; it does not run. */
  fill(from: string): void
  /** Copies its data; it does not run. */
  keep(to: string): void
  setClock(milliseconds: number): void
  log(): string
}

/** Milliseconds for which a process may load. */
const patience = 60_000
/** What belongs to the node and not to what it knows. */
const isData = (path: string) => !/\/(?:quoin\.log|lock\.mdb|.*\.ipc|.*\.lock)$/.test(path)

export function createSeat({ name, folder, genesisFile, ports, options }: SeatTerms): Seat {
  mkdirSync(folder, { recursive: true })
  const [data, logFile] = [join(folder, 'data'), join(folder, 'log')]
  const [tapFile, clockFile] = [join(folder, 'tap'), join(folder, 'clock')]
  writeFileSync(tapFile, '')
  const process_ = createNodeProcess({
    name,
    httpPort: ports.http,
    logFile,
    command: process.execPath,
    args: [
      quoinProgram,
      `--genesis-file=${genesisFile}`,
      `--data-path=${data}`,
      '--p2p-interface=127.0.0.1',
      `--p2p-port=${ports.p2p}`,
      '--discovery-enabled=false',
      '--rpc-http-enabled',
      `--rpc-http-port=${ports.http}`,
      '--rpc-http-api=CLIQUE,ETH,IBFT,QBFT',
      '--min-gas-price=0',
      // What it proposes is never what another process proposes.
      `--miner-extra-data=0x${Buffer.from(name).toString('hex')}`,
      ...options,
    ],
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`,
      QUOIN_CHAOS_CLOCK: clockFile,
      QUOIN_CHAOS_TAP: tapFile,
    },
  })
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true })
    cpSync(from, to, { recursive: true, preserveTimestamps: true, filter: isData })
  }
  return {
    name,
    data,
    logFile,
    tapFile,
    process: process_,
    async start() {
      process_.start()
      const end = performance.now() + patience
      while (performance.now() < end && process_.pid() !== undefined) {
        if (await process_.call<string>('eth_blockNumber').catch(() => undefined)) return
        await delay(100)
      }
      throw new Error(`${name} did not start: see ${logFile}`)
    },
    fill: (from) => copy(from, data),
    keep: (to) => copy(data, to),
    setClock: (milliseconds) => writeFileSync(clockFile, String(milliseconds)),
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''),
  }
}
