import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendCanonical } from '../src/chain/canonical.ts'
import { createChainView } from '../src/chain/createChainView.ts'
import { keyOfBlock, writeBody, writeHeader, writeReceipts } from '../src/chain/records.ts'
import type { LogQuery } from '../src/chain/view.ts'
import { createChainSpec } from '../src/forks/chainSpec.ts'
import { createDevGenesis, devAccounts } from '../src/forks/devGenesis.ts'
import { toGenesisFile } from '../src/forks/genesisFile.ts'
import type { Address, Hash32 } from '../src/primitives/bytes.ts'
import { fromHex } from '../src/primitives/hex.ts'
import { keccak256 } from '../src/primitives/keccak.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { createStateStore } from '../src/state/stateStore.ts'
import { openStore } from '../src/store/openStore.ts'
import type { Store } from '../src/store/store.ts'
import { bloomOf } from '../src/types/bloom.ts'
import { blankHeader, encodeHeader } from '../src/types/header.ts'
import { signTx } from '../src/types/signTx.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { few: 'BLOCKS', many: 'BLOCKS', hits: 'N' }

const spec = createChainSpec(toGenesisFile(createDevGenesis('london')))
const token = bigIntToFixed(0x70cen, 20) as Address
const topicOf = (n: number) => bigIntToFixed(BigInt(n), 32) as Hash32
const transferTopic = topicOf(1)
const wantedTopic = topicOf(2)
const blocksPerWrite = 20_000
const queries = 50

/** One transaction serves all blocks: what is read of it is its hash. */
const tx = signTx(
  {
    type: 0,
    chainId: 1337n,
    nonce: 0n,
    gasPrice: 0n,
    gasLimit: 21_000n,
    to: token,
    value: 0n,
    data: new Uint8Array(0),
  },
  fromHex(devAccounts[0].privateKey),
)

/** Writes what the chain would write of blocks with one log each of the same contract; `hits` of them, evenly spread, have the wanted topic. */
function fill(store: Store, blocks: number, hits: number): void {
  const gap = Math.floor(blocks / hits)
  let parentHash = new Uint8Array(32) as Hash32
  for (let start = 0; start < blocks; start += blocksPerWrite)
    store.write((txn) => {
      for (let number = start; number < Math.min(blocks, start + blocksPerWrite); number++) {
        const hit = number % gap === 0 && number / gap < hits
        const logs = [
          {
            address: token,
            topics: [transferTopic, hit ? wantedTopic : topicOf(1000 + number)],
            data: topicOf(number),
          },
        ]
        const logsBloom = bloomOf(logs)
        const header = { ...blankHeader, parentHash, number: BigInt(number), logsBloom }
        const sealed = { header, hash: keccak256(encodeHeader(header)) }
        const key = keyOfBlock(sealed)
        const gas = { gasUsed: 21_000n, cumulativeGasUsed: 21_000n }
        const receipts = [{ type: 0 as const, outcome: 1 as const, ...gas, logs, logsBloom, revertReason: undefined }]
        writeHeader(txn, { ...sealed, totalDifficulty: 1n })
        writeBody(txn, key, { transactions: [tx], ommers: [], withdrawals: undefined })
        writeReceipts(txn, key, receipts)
        appendCanonical(txn, key, [tx], receipts, { indexLogs: true, indexPace: undefined })
        parentHash = sealed.hash
      }
    })
}

/** Milliseconds that a query over the whole chain takes, the middle one of many. */
async function measure(blocks: number, hits: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-logs-'))
  const store = openStore(folder)
  try {
    fill(store, blocks, hits)
    const snapshot = store.openSnapshot()
    const view = createChainView({ spec, states: createStateStore(store), consensus: {} }, snapshot, () =>
      snapshot.close(),
    )
    const query: LogQuery = {
      fromBlock: 0n,
      toBlock: BigInt(blocks - 1),
      addresses: [token],
      topics: [[transferTopic], [wantedTopic]],
    }
    const timed = () => {
      const start = performance.now()
      const found = [...view.logs(query)].length
      if (found !== hits) throw new Error(`${found} logs found, not ${hits}`)
      return performance.now() - start
    }
    // The first half only warms up.
    const times = Array.from({ length: 2 * queries }, timed).slice(queries)
    view.close()
    return times.sort((a, b) => a - b)[queries / 2]!
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const [few, many] = [options.number('few', 10_000), options.number('many', 1_000_000)]
  const hits = options.number('hits', 100)
  const rows: { blocks: number; milliseconds: number; ratio: number }[] = []
  for (const blocks of [few, many]) {
    const milliseconds = await measure(blocks, hits)
    rows.push({ blocks, milliseconds, ratio: milliseconds / (rows[0]?.milliseconds ?? milliseconds) })
  }
  return {
    title: `Logs of one contract and topic: ${hits} among all blocks, each of which has a log of the contract`,
    columns: ['blocks', 'ms a query', 'ratio'],
    rows: rows.map(({ blocks, milliseconds, ratio }) => [round(blocks), round(milliseconds), `${round(ratio)}×`]),
    json: { hits, rows },
  }
}

export const bench = {
  name: 'logs',
  doc: 'A search for logs on a short and on a long chain.',
  takes,
  run,
}
