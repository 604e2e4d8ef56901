import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { type DiskChains, type DiskPlan, prepareDiskChains } from './disk/diskChains.ts'
import { type DiskClient, diskClients } from './disk/diskClients.ts'
import { folderSize } from './folderSize.ts'
import { round } from './rate.ts'
import { leaveOut } from './report/leaveOut.ts'
import type { Bench, BenchOptions, BenchTable } from './table.ts'

const takes = { 'empty-blocks': 'N', blocks: 'N', transfers: 'N', 'history-blocks': 'N', only: 'PATTERN' }

/** Bytes on disk. */
interface Sizes {
  /** A new data directory with a single block. */
  readonly one: number
  readonly empty: number
  readonly transfers: number
}

async function measure({ fill }: DiskClient, chains: DiskChains): Promise<Sizes> {
  const sizeOf = async (blocks: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-disk-'))
    try {
      await fill(chains.genesis, blocks, join(folder, 'data'))
      return folderSize(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return {
    one: await sizeOf(chains.one),
    empty: await sizeOf(chains.empty),
    transfers: await sizeOf(chains.transfers),
  }
}

/** Bytes that each empty block and each transfer adds. */
function perUnit({ one, empty, transfers }: Sizes, plan: DiskPlan): { block: number; transfer: number } {
  const block = (empty - one) / (plan.emptyBlocks - 1)
  return { block, transfer: (transfers - one - block * (plan.blocks - 1)) / (plan.blocks * plan.transfersPerBlock) }
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const plan: DiskPlan = {
    emptyBlocks: options.number('empty-blocks', 20_000),
    blocks: options.number('blocks', 5000),
    transfersPerBlock: options.number('transfers', 10),
  }
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const only = new RegExp(options.text('only', ''))
  const clients = diskClients(peersDir, options.number('history-blocks', 128)).filter(({ name }) => only.test(name))
  const chains = await prepareDiskChains(plan)
  const results: { name: string; sizes: Sizes; bytesPerBlock: number; bytesPerTransfer: number }[] = []
  for (const client of clients)
    try {
      const sizes = await measure(client, chains)
      const { block, transfer } = perUnit(sizes, plan)
      results.push({ name: client.name, sizes, bytesPerBlock: block, bytesPerTransfer: transfer })
      process.stderr.write(`${client.name}: ${round(block)} bytes a block, ${round(transfer)} a transfer\n`)
    } catch (error) {
      if (client.name.startsWith('Quoin')) throw error
      leaveOut(client.name, error)
    }
  const archive = results.find(({ name }) => name.includes('archive'))
  const beside = (own: number, other: number | undefined) => (other === undefined ? '' : `${(own / other).toFixed(2)}×`)
  return {
    title: `Bytes on disk: ${round(plan.emptyBlocks)} empty blocks; ${round(plan.blocks)} blocks of ${plan.transfersPerBlock} transfers each among 1,000 accounts, a tenth to new ones`,
    columns: ['client', 'per empty block', 'to geth archive', 'per transfer', 'to geth archive', 'MB of the transfers'],
    rows: results.map(({ name, sizes, bytesPerBlock, bytesPerTransfer }) => [
      name,
      round(bytesPerBlock),
      beside(bytesPerBlock, archive?.bytesPerBlock),
      round(bytesPerTransfer),
      beside(bytesPerTransfer, archive?.bytesPerTransfer),
      round(sizes.transfers / 1e6),
    ]),
    json: { plan, results },
  }
}

export const bench: Bench = {
  name: 'disk',
  doc: 'Bytes on disk per empty block and per transfer, beside geth and Besu.',
  takes,
  run,
}
