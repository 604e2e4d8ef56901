import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { NetworkPlace, RunningNetwork } from './network.ts'

const run = promisify(execFile)

/** Makes a folder of peers in which Besu is this node, and Tessera is Tessera. */
function layPeers(folder: string, tessera: string): string {
  const peers = join(folder, 'peers')
  mkdirSync(join(peers, 'besu'), { recursive: true })
  symlinkSync(tessera, join(peers, 'tessera'))
  const program = join(packageRoot, 'dist/src/cli/main.js')
  writeFileSync(join(peers, 'besu/besu'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
  return peers
}

/** Starts a network of this node with a real Tessera each. */
export async function startTesseraNetwork(place: NetworkPlace, tessera: string): Promise<RunningNetwork> {
  const program = join(place.source, 'network.mjs')
  const home = join(place.folder, 'network')
  const options = ['--kind', place.network, '--port', String(place.port), '--peers', layPeers(place.folder, tessera)]
  const stop = async () => void (await run(process.execPath, [program, 'stop', home]))
  try {
    const { stdout } = await run(process.execPath, [program, 'start', home, ...options])
    const jwt = place.network === 'tenants' ? ['--jwt-key', join(home, 'jwt.key')] : []
    return { args: [...stdout.trim().split(' '), ...jwt], stop }
  } catch (error) {
    await stop()
    throw error
  }
}
