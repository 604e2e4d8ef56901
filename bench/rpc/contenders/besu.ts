import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '../../../src/primitives/hex.ts'
import { curve } from '../../../src/primitives/secp256k1.ts'
import { freePort } from '../../../test/support/freePort.ts'
import { besuJvm, besuSettings } from '../../besuSettings.ts'
import { type PreparedContent, prepareContent } from '../../content/prepareContent.ts'
import { signerKey } from '../../sync/cliqueChain.ts'
import { startServer } from '../servers.ts'
import type { Contender } from './contender.ts'
import { contentOf } from './contentOf.ts'

/** With a million accounts, Besu needs more memory for the genesis file than it runs with. */
const importJvm = '-Xmx10g'

function fill(program: string, { genesis, chain }: PreparedContent, data: string): void {
  const args = [`--genesis-file=${genesis}`, `--data-path=${data}`, '--data-storage-format=FOREST']
  const { status, error, stderr, stdout } = spawnSync(program, [...args, 'blocks', 'import', `--from=${chain}`], {
    encoding: 'utf8',
    env: { ...process.env, BESU_OPTS: importJvm },
  })
  // An import that fails ends like any other.
  const output = stdout + stderr
  if (status !== 0 || output.includes('Exception'))
    throw new Error(`Besu cannot import: ${error?.message ?? output.trim().split('\n').at(-1)}`)
}

/** The only validator of the same network as Quoin's. */
export const besuQbft: Contender = async ({ folder, peersDir, size }) => {
  const program = join(peersDir, 'besu/besu')
  const prepared = await prepareContent('qbft', size)
  cpSync(
    prepared.once('besu', (data) => fill(program, prepared, data)),
    folder,
    { recursive: true },
  )
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, toHex(signerKey))
  const [port, wsPort, p2pPort] = [await freePort(), await freePort(), await freePort()]
  const enode = `enode://${toHex(curve.publicKey(signerKey)).slice(2)}@127.0.0.1:${p2pPort}`
  const options = [
    ...[`--genesis-file=${prepared.genesis}`, `--data-path=${folder}`, `--node-private-key-file=${keyFile}`],
    ...['--p2p-host=127.0.0.1', '--p2p-interface=127.0.0.1', `--p2p-port=${p2pPort}`, `--bootnodes=${enode}`],
    ...['--nat-method=NONE', '--logging=ERROR', '--host-allowlist=*'],
    ...['--rpc-http-enabled', `--rpc-http-port=${port}`, '--rpc-http-api=ETH,NET,WEB3'],
    ...['--rpc-ws-enabled', `--rpc-ws-port=${wsPort}`, '--rpc-ws-api=ETH,NET,WEB3'],
    ...['--min-gas-price=0', ...besuSettings],
    // Of the row of sends, all that come in within a second.
    '--tx-pool-max-size=100000',
  ]
  const heap = size.accounts > 100_000 ? importJvm : besuJvm
  const server = await startServer('Besu 24.1.2', program, options, port, { env: { BESU_OPTS: heap } })
  return { ...server, wsPort, content: await contentOf(size, 1) }
}
