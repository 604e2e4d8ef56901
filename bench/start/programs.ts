import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { freePort } from '../../test/support/freePort.ts'
import { anvilBinary } from '../rpc/servers.ts'
import { benchChainId } from '../signedTransfers.ts'
import type { LongChain } from './longChain.ts'

/** A program that is started until it answers. */
export interface Program {
  readonly name: string
  program(): string
  /** Arguments with which it serves JSON-RPC at the port; the folder is empty. */
  args(folder: string, port: number): Promise<readonly string[]>
}

const bin = join(packageRoot, 'bin/quoin')

async function devArgs(folder: string, port: number): Promise<string[]> {
  const [ws, graphql] = [await freePort(), await freePort()]
  return [`--data-path=${folder}`, `--rpc-http-port=${port}`, `--rpc-ws-port=${ws}`, `--graphql-http-port=${graphql}`]
}

async function chainArgs({ genesis, quoin }: LongChain, port: number): Promise<string[]> {
  return [
    `--genesis-file=${genesis}`,
    `--data-path=${quoin}`,
    `--p2p-port=${await freePort()}`,
    '--discovery-enabled=false',
    '--rpc-http-enabled',
    `--rpc-http-port=${port}`,
  ]
}

async function gethArgs(port: number): Promise<string[]> {
  return [
    ...['--ipcdisable', '--maxpeers=0', '--nodiscover', '--verbosity=1', `--port=${await freePort()}`],
    ...['--http', `--http.port=${port}`, `--authrpc.port=${await freePort()}`],
  ]
}

export function startedPrograms(peersDir: string, chain: LongChain, blocks: string): readonly Program[] {
  const geth = join(peersDir, 'geth/geth')
  const node = () => process.execPath
  return [
    {
      name: 'Quoin, development network',
      program: node,
      args: async (folder, port) => [bin, ...(await devArgs(folder, port))],
    },
    {
      name: `Quoin, chain of ${blocks} blocks`,
      program: node,
      args: async (_, port) => [bin, ...(await chainArgs(chain, port))],
    },
    {
      name: 'geth 1.13.15 --dev',
      program: () => geth,
      args: async (folder, port) => ['--dev', `--datadir=${folder}`, ...(await gethArgs(port))],
    },
    {
      name: `geth 1.13.15, chain of ${blocks} blocks`,
      program: () => geth,
      args: async (_, port) => [
        `--datadir=${chain.geth(geth)}`,
        `--networkid=${benchChainId}`,
        ...(await gethArgs(port)),
      ],
    },
    { name: 'anvil', program: anvilBinary, args: async (_, port) => ['--silent', `--port=${port}`] },
    {
      name: 'npm start, nothing changed',
      program: node,
      args: async (folder, port) => [join(packageRoot, 'scripts/start.mjs'), ...(await devArgs(folder, port))],
    },
  ]
}

/** Arguments of Node.js for a command that only prints its version. */
export const versionArgs: readonly string[] = [bin, '--version']
