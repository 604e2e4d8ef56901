import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createClient, until } from '../../bench/rpc/client.ts'

interface GethChainOptions {
  readonly script: string
  readonly version: string
  /** For its data. */
  readonly folder: string
  readonly genesis: string
  /** File of block RLPs. */
  readonly blocks: string
  /** This one and the two after it are used. */
  readonly port: number
}

/** A geth that has imported a chain and answers for it. */
export interface GethChain {
  readonly url: string
  stop(): Promise<void>
}

function start({ script, version }: GethChainOptions, args: readonly string[]) {
  const env = { ...process.env, GETH_PEER_VERSION: version }
  const child = spawn(script, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let noise = ''
  child.stderr.on('data', (bytes) => (noise = (noise + bytes).slice(-500)))
  return { child, noise: () => noise }
}

async function finish(options: GethChainOptions, args: readonly string[]): Promise<void> {
  const { child, noise } = start(options, args)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`geth ${args.find((arg) => !arg.startsWith('-'))} failed: ${noise()}`)
}

/** Imports the chain into a fresh folder and serves it, with every state kept. */
export async function startGethChain(options: GethChainOptions): Promise<GethChain> {
  const { folder, genesis, blocks, port } = options
  const common = [`--datadir=${folder}`, '--state.scheme=hash', '--verbosity=1']
  await finish(options, [...common, 'init', genesis])
  await finish(options, [...common, '--gcmode=archive', 'import', blocks])
  const { child, noise } = start(options, [
    ...[...common, '--gcmode=archive', '--nodiscover', '--maxpeers=0', '--ipcdisable', '--syncmode=full'],
    ...[`--port=${port + 2}`, `--authrpc.port=${port + 1}`],
    ...['--http', `--http.port=${port}`, '--http.api=eth,debug'],
  ])
  const url = `http://127.0.0.1:${port}`
  const { call } = createClient(url)
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`geth does not start: ${noise()}`)
      return call('eth_chainId').then(
        () => true,
        () => false,
      )
    }, 60)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}
