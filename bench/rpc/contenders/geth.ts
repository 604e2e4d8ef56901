import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '../../../src/primitives/hex.ts'
import { freePort } from '../../../test/support/freePort.ts'
import { type PreparedContent, prepareContent } from '../../content/prepareContent.ts'
import { benchChainId } from '../../signedTransfers.ts'
import { signer, signerKey } from '../../sync/cliqueChain.ts'
import { startServer } from '../servers.ts'
import type { Contender } from './contender.ts'
import { contentOf } from './contentOf.ts'

const password = (data: string) => join(data, 'password')

/** geth imports the blocks, and the key with which it makes more. */
function fill(program: string, { genesis, chain }: PreparedContent, data: string): void {
  function finish(...args: readonly string[]): void {
    const { status, error, stderr } = spawnSync(program, [`--datadir=${data}`, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`geth ${args[0]}: ${error?.message ?? stderr.slice(-500)}`)
  }
  const key = join(data, 'signer')
  writeFileSync(key, toHex(signerKey).slice(2))
  writeFileSync(password(data), '')
  finish('init', genesis)
  finish('import', chain)
  finish('--lightkdf', 'account', 'import', `--password=${password(data)}`, key)
}

/** geth has no QBFT: it is the only signer of a network with Clique. */
export const gethClique: Contender = async ({ folder, peersDir, size }) => {
  const program = join(peersDir, 'geth/geth')
  const prepared = await prepareContent('clique', size)
  cpSync(
    prepared.once('geth', (data) => fill(program, prepared, data)),
    folder,
    { recursive: true },
  )
  const [port, wsPort, enginePort] = [await freePort(), await freePort(), await freePort()]
  const [address, apis] = [toHex(signer.address), 'eth,net,web3']
  const options = [
    ...[`--datadir=${folder}`, `--networkid=${benchChainId}`, '--syncmode=full', '--verbosity=1'],
    ...['--nodiscover', '--maxpeers=0', '--ipcdisable', `--authrpc.port=${enginePort}`, '--port=0'],
    ...['--http', `--http.port=${port}`, `--http.api=${apis}`, '--ws', `--ws.port=${wsPort}`, `--ws.api=${apis}`],
    ...['--mine', `--miner.etherbase=${address}`, `--unlock=${address}`, `--password=${password(folder)}`],
    ...['--allow-insecure-unlock', '--rpc.txfeecap=0'],
    ...['--txpool.accountslots=10000', '--txpool.globalslots=1000000'],
    ...['--txpool.accountqueue=10000', '--txpool.globalqueue=1000000'],
  ]
  const server = await startServer('geth 1.13.15', program, options, port)
  return { ...server, wsPort, content: await contentOf(size, 1) }
}
