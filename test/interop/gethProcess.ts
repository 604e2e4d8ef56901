import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import type { Seat } from './seat.ts'

export interface GethOptions {
  readonly seat: Seat
  readonly peersDir: string
  readonly genesisFile: string
  /** Whether it makes blocks with the key of its seat. */
  readonly signs: boolean
}

/** A geth with a fresh database of this genesis; it finds nobody unless told how. */
export function createGethProcess({ seat, peersDir, genesisFile, signs }: GethOptions): NodeProcess {
  const command = join(peersDir, 'geth/geth')
  const { name, folder, key, address, httpPort, p2pPort } = seat
  const data = join(folder, 'geth-data')
  const password = join(folder, 'password')
  const configFile = join(folder, 'geth.toml')
  function finish(...args: readonly string[]): void {
    const { status, stderr, error } = spawnSync(command, [`--datadir=${data}`, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`geth does not get ready: ${error?.message ?? stderr.slice(-500)}`)
  }
  mkdirSync(data)
  writeFileSync(password, '')
  // Only the file can say which interface to listen on.
  writeFileSync(configFile, `[Node.P2P]\nListenAddr = "127.0.0.1:${p2pPort}"\n`)
  finish('init', genesisFile)
  if (signs) finish('--lightkdf', 'account', 'import', `--password=${password}`, join(folder, 'key'))
  return createNodeProcess({
    name,
    httpPort,
    logFile: join(folder, 'geth.log'),
    command,
    args: [
      ...[`--config=${configFile}`, `--datadir=${data}`, '--syncmode=full', '--gcmode=archive'],
      ...[`--nodekeyhex=${key}`, '--nat=extip:127.0.0.1', '--ipcdisable', `--authrpc.port=${httpPort + 1}`],
      ...['--http', `--http.port=${httpPort}`, '--http.api=admin,clique,debug,eth,net,txpool'],
      ...(signs ? ['--mine', `--miner.etherbase=${address}`, `--unlock=${address}`, `--password=${password}`] : []),
      ...(signs ? ['--allow-insecure-unlock'] : []),
    ],
  })
}
