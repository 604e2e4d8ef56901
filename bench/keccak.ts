import { keccak_256 } from '@noble/hashes/sha3.js'
import { keccak256 } from '../src/primitives/keccak.ts'
import { measureInTurn, round } from './rate.ts'
import { formatSpread } from './spread.ts'
import type { BenchTable } from './table.ts'

const sizes = [20, 32, 64, 136, 532, 4096, 1_000_000]

async function run(): Promise<BenchTable> {
  const rows: string[][] = []
  for (const size of sizes) {
    const data = new Uint8Array(size).fill(0x5a)
    const times = Math.max(1, Math.round(1000 / size))
    const works = [keccak256, keccak_256].map((hash) => () => {
      for (let i = 0; i < times; i++) hash(data)
      return times
    })
    const [ours, noble] = measureInTurn(works, 500)
    rows.push([
      String(size),
      round(ours!.median),
      formatSpread(ours!),
      round((ours!.median * size) / 1e6),
      round(noble!.median),
      formatSpread(noble!),
      `${round(ours!.median / noble!.median)}×`,
    ])
  }
  const columns = ['bytes', 'hashes/s', 'spread', 'MB/s', '@noble/hashes, hashes/s', 'spread', 'times']
  return { title: 'Keccak-256', columns, rows, json: rows }
}

export const bench = { name: 'keccak', doc: 'Keccak-256 by size of input.', run }
