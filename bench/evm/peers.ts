import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { buildGoPeer } from '../peers/buildGoPeer.ts'
import { createPeerRunner } from './peerRunner.ts'
import type { Runner } from './runner.ts'

/** Something to compare with: how it is made ready and started on a file of workloads. */
interface Peer {
  readonly title: string
  start(workloads: string): Runner
}

const source = (name: string) => join(packageRoot, 'bench/peers', name)
const cache = (name: string) => join(tmpdir(), 'quoin-bench', name)

/** Compiles or installs; what the tool prints is shown only when it fails. */
function make(program: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (error || status !== 0) throw new Error(error ? `${program} cannot be run: ${error.message}` : stderr.trim())
}

export const peers = {
  geth: {
    title: 'geth 1.13.15',
    start(workloads) {
      return createPeerRunner('geth', buildGoPeer('evm-geth'), [workloads])
    },
  },
  revm: {
    title: 'revm 43',
    start(workloads) {
      const target = cache('evm-revm')
      make('cargo', ['build', '--release', '--quiet', '--target-dir', target], source('evm-revm'))
      return createPeerRunner('revm', join(target, 'release/evm-revm'), [workloads], { memoryOnly: true })
    },
  },
  ethereumjs: {
    title: '@ethereumjs/evm 10',
    start(workloads) {
      const folder = cache('evm-ethereumjs')
      mkdirSync(folder, { recursive: true })
      cpSync(source('evm-ethereumjs'), folder, { recursive: true })
      make('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder)
      return createPeerRunner('ethereumjs', process.execPath, [join(folder, 'main.mjs'), workloads], {
        memoryOnly: true,
      })
    },
  },
} as const satisfies Record<string, Peer>

export type PeerName = keyof typeof peers
