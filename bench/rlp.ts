import { decodeRlp, encodeRlp } from '../src/primitives/rlp.ts'
import { decodeTx } from '../src/types/decodeTx.ts'
import { encodeTx } from '../src/types/encodeTx.ts'
import { measureRate, round } from './rate.ts'
import { signedTransfers } from './signedTransfers.ts'
import type { BenchTable } from './table.ts'

const blockSize = 200

async function run(): Promise<BenchTable> {
  const encoded = signedTransfers(blockSize, 10)
  const body = encodeRlp(encoded)
  const list = decodeRlp(body)
  const txs = encoded.map((bytes) => decodeTx(bytes))
  const each = <T>(items: readonly T[], work: (item: T) => unknown) => {
    for (const item of items) work(item)
    return items.length
  }
  const bytes = body.length / blockSize
  const rows = [
    ['list of 200 byte strings, encode', measureRate(() => encodeRlp(list) && blockSize)],
    ['list of 200 byte strings, decode', measureRate(() => decodeRlp(body) && blockSize)],
    ['transaction, fields encoded', measureRate(() => each(txs, encodeTx))],
    ['transaction, fields decoded and hashed', measureRate(() => each(encoded, decodeTx))],
  ].map(([what, rate]) => [String(what), round(Number(rate)), round((Number(rate) * bytes) / 1e6)])
  return { title: 'RLP', columns: ['what', 'transactions/s', 'MB/s'], rows, json: rows }
}

export const bench = { name: 'rlp', doc: 'RLP of lists and of transactions.', run }
