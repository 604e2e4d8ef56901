import { keccak_256 } from '@noble/hashes/sha3.js'
import { keccak256 } from '../src/primitives/keccak.ts'
import { measureRate, round } from './rate.ts'
import type { BenchTable } from './table.ts'

const sizes = [20, 32, 64, 136, 532, 4096, 1_000_000]

async function run(): Promise<BenchTable> {
  const rows: string[][] = []
  for (const size of sizes) {
    const data = new Uint8Array(size).fill(0x5a)
    const times = Math.max(1, Math.round(1000 / size))
    const rateOf = (hash: (data: Uint8Array) => Uint8Array) =>
      measureRate(() => {
        for (let i = 0; i < times; i++) hash(data)
        return times
      }, 500)
    const ours = rateOf(keccak256)
    const noble = rateOf(keccak_256)
    rows.push([String(size), round(ours), round((ours * size) / 1e6), round(noble), `${round(ours / noble)}×`])
  }
  const columns = ['bytes', 'hashes/s', 'MB/s', '@noble/hashes, hashes/s', 'times']
  return { title: 'Keccak-256', columns, rows, json: rows }
}

export const bench = { name: 'keccak', doc: 'Keccak-256 by size of input.', run }
