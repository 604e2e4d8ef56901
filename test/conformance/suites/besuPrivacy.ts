import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { MissingData } from '../data.ts'
import type { Suite } from '../suite.ts'

const run = promisify(execFile)
/** Ports that the five nodes of a network and their managers take. */
const ports = 50

/** The networks that flows are for: groups that the managers keep, and groups that contracts keep. */
const kinds = ['standard', 'flexible'] as const
type Kind = (typeof kinds)[number]

/** Makes a folder of peers in which Besu is this node, and Tessera is Tessera. */
function layPeers(folder: string, tessera: string): string {
  const peers = join(folder, 'peers')
  mkdirSync(join(peers, 'besu'), { recursive: true })
  symlinkSync(tessera, join(peers, 'tessera'))
  const program = join(packageRoot, 'dist/src/cli/main.js')
  writeFileSync(join(peers, 'besu/besu'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
  return peers
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.on('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}

/** Networks run side by side: each has a range of its own. */
async function findPorts(kind: Kind): Promise<number> {
  const start = 23_000 + 4000 * kinds.indexOf(kind)
  for (let first = start; first < start + 4000; first += ports) {
    const free = await Promise.all(Array.from({ length: ports }, (_, i) => isFree(first + i)))
    if (free.every(Boolean)) return first
  }
  throw new Error('there are not enough free ports')
}

/** Starts a network of this node with a Tessera each, runs its flows against it, and returns what their runner printed. */
async function runFlows(source: string, tessera: string, kind: Kind): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-privacy-'))
  const network = join(source, 'network.mjs')
  try {
    const peers = layPeers(folder, tessera)
    const place = join(folder, 'network')
    const options = ['start', place, '--kind', kind, '--port', String(await findPorts(kind)), '--peers', peers]
    try {
      const { stdout } = await run(process.execPath, [network, ...options])
      const flows = [...stdout.trim().split(' '), join(source, 'flows')]
      return await run(process.execPath, [join(source, 'run.mjs'), ...flows], { maxBuffer: 1 << 26 }).then(
        (ended) => ended.stdout,
        (failed: { stdout?: string }) => failed.stdout ?? String(failed),
      )
    } finally {
      await run(process.execPath, [network, 'stop', place])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Flows of private transactions that a Besu with Tessera was recorded with. */
export const besuPrivacy: Suite = {
  name: 'besu-privacy',
  doc: 'flows of private transactions over networks of nodes with Tessera, as recorded from Besu; takes minutes',
  rare: true,
  cases(data) {
    const source = resolve(data.folder, 'besu-privacy')
    if (!existsSync(source)) throw new MissingData('besu-privacy')
    const tessera = resolve(data.folder, '../peers/tessera')
    if (!existsSync(tessera)) throw new MissingData('../peers/tessera')
    return data.share(
      kinds.map((name) => ({
        name,
        async run() {
          const text = await runFlows(source, tessera, name)
          if (!/ passed, 0 failed\s*$/.test(text)) throw new Error(text)
        },
      })),
    )
  },
}
