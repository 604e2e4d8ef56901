import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createBesuNetwork } from './besuNetwork.ts'
import { createBesuProcess, runBesu } from './besuProcess.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { createQuoinProcess, quoinProgram } from './quoinProcess.ts'
import { eventually, hashAt, heightOf, reach, sameBlocks, transfer } from './rpcNode.ts'
import { createSeat } from './seat.ts'
import { stopAll } from './stopAll.ts'
import { type Member, otherMakes, passOn, quoinMakes } from './together.ts'

const make = 'Besu'
const withoutDiscovery = '--discovery-enabled=false'

/** One Besu validates, the others follow. */
async function besuValidates({ checks, folder, peersDir, basePort }: InteropTerms): Promise<void> {
  const terms = { peersDir, folder: join(folder, 'besu-validates'), type: 'qbft', nodes: 1, basePort } as const
  const network = createBesuNetwork(terms)
  const { genesisFile } = network
  const validator = { ...network.nodes[0]!, name: 'besu-validator' }
  const besu = (seat: typeof validator): Member => ({
    node: createBesuProcess({ seat, peersDir, genesisFile }),
    enode: seat.enode,
  })
  const seatOf = (name: string, number: number) => createSeat(folder, name, basePort, number)
  const own = seatOf('quoin-follower', 1)
  await otherMakes({
    checks,
    make,
    maker: besu(validator),
    quoin: { node: createQuoinProcess({ ...own, genesisFile }), enode: own.enode },
    follower: besu(seatOf('besu-follower', 2)),
    finder: besu(seatOf('besu-finder', 3)),
    withoutDiscovery,
    gasPrice: 0n,
  })
}

/** Quoin is the one validator of a network that Besu's tools made. */
async function quoinValidates({ checks, folder, peersDir, basePort }: InteropTerms): Promise<void> {
  const first = basePort + 40
  const terms = { peersDir, folder: join(folder, 'quoin-validates'), type: 'qbft', nodes: 1, basePort: first } as const
  const network = createBesuNetwork(terms)
  const { genesisFile } = network
  const own = network.nodes[0]!
  const other = createSeat(folder, 'besu-fresh', first, 1)
  await quoinMakes({
    checks,
    make,
    quoin: { node: createQuoinProcess({ ...own, name: 'quoin-validator', genesisFile }), enode: own.enode },
    follower: { node: createBesuProcess({ seat: other, peersDir, genesisFile }), enode: other.enode },
    gasPrice: 0n,
  })
}

/** Quoin's development chain in a file is one that Besu imports into its own development network. */
async function devChain({ checks, folder, peersDir, basePort }: InteropTerms): Promise<void> {
  const [own, other] = [createSeat(folder, 'quoin-dev', basePort, 6), createSeat(folder, 'besu-dev', basePort, 7)]
  const quoin = createQuoinProcess(own)
  const besu = createBesuProcess({ seat: other, peersDir })
  const file = join(folder, 'dev.blocks')
  const blocks = 5
  await stopAll([quoin, besu], async () => {
    quoin.start()
    await reach([quoin], 0)
    for (let nonce = 0n; nonce < blocks; nonce++)
      await transfer(checks, quoin, [quoin], { nonce, gasPrice: 10_000_000_000n })
    await eventually('the time of the last block has come', async () => {
      const { timestamp } = await quoin.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
      return Number(timestamp) * 1000 < Date.now()
    })
    await quoin.stop()
    // The rules that `createQuoinProcess` chose: those of Besu's development network.
    const exporting = ['--dev-fork=london', `--data-path=${own.folder}`, 'blocks', 'export', `--to=${file}`]
    const { status, stderr } = spawnSync(process.execPath, [quoinProgram, ...exporting], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`the chain is not exported: ${stderr.slice(-500)}`)
    await checks.step('Besu imports the development chain', async () =>
      runBesu(
        peersDir,
        undefined,
        ...['--network=dev', `--data-path=${other.folder}`, 'blocks', 'import'],
        ...[`--from=${file}`, '--skip-pow-validation-enabled'],
      ),
    )
    quoin.start()
    besu.start(withoutDiscovery)
    await reach([quoin, besu], 0)
    checks.equal('the genesis blocks are the same', await hashAt(besu, 0), await hashAt(quoin, 0))
    checks.equal('Besu has all blocks', await heightOf(besu), await heightOf(quoin))
    await sameBlocks(checks, [quoin, besu], 0, blocks)
  })
}

/** Sync, transfers and discovery between Quoin and Besu, and the development network. */
export const besu: Interop = {
  name: 'besu',
  doc: 'Quoin and Besu sync from each other, find each other and mine for each other.',
  needs: ['besu'],
  async run(terms) {
    await devChain(terms)
    const { peersDir } = terms
    await passOn({
      ...terms,
      make,
      create: (seat, genesisFile) => createBesuProcess({ seat, peersDir, genesisFile }),
      withoutDiscovery,
      firstSeat: 8,
    })
    await besuValidates(terms)
    await quoinValidates(terms)
  },
}
