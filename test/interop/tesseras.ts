import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A real Tessera in Orion mode. */
export interface Tessera {
  /** What nodes call, and what other managers call. */
  readonly nodeUrl: string
  readonly peerUrl: string
  readonly key: string
}

/** Does something with `count` Tesseras that know each other, and stops them, however that went. */
export async function withTesseras(
  peersDir: string,
  folder: string,
  count: number,
  basePort: number,
  action: (tesseras: readonly Tessera[]) => Promise<void>,
): Promise<void> {
  const script = join(peersDir, 'tessera/network')
  const run = (...args: readonly string[]) =>
    spawnSync(script, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  // A test that is ended itself leaves nobody behind.
  const stop = () => void run('stop', folder)
  process.on('exit', stop)
  try {
    const { status, stdout, stderr } = run('start', folder, String(count), String(basePort))
    if (status !== 0) throw new Error(`Tessera does not start: ${stderr.slice(-500)}`)
    const tesseras = stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [, nodeUrl, peerUrl, key] = line.split(' ')
        return { nodeUrl: nodeUrl!, peerUrl: peerUrl!, key: key! }
      })
    await action(tesseras)
  } finally {
    process.off('exit', stop)
    stop()
  }
}
