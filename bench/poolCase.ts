// Fills a pool with the transactions of a file and prints what that took, as JSON: a child of bench/pool.ts.
import { readFileSync } from 'node:fs'
import { rulesOf } from '../src/forks/rules.ts'
import { createPool } from '../src/pool/createPool.ts'
import type { PoolEntry } from '../src/pool/entry.ts'
import { createIntake } from '../src/pool/intake.ts'
import { defaultPoolOptions } from '../src/pool/options.ts'
import type { Pool } from '../src/pool/pool.ts'
import type { PoolHead } from '../src/pool/ports.ts'
import { type Address, emptyBytes, keyOf } from '../src/primitives/bytes.ts'
import { emptyCodeHash } from '../src/primitives/keccak.ts'
import { decodeRlp, rlpBytes, rlpList } from '../src/primitives/rlp.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { createRecoverPool } from '../src/recovery/recoverPool.ts'
import { systemClock } from '../src/system/clock.ts'
import { decodeNetworkTx } from '../src/types/blobSidecar.ts'
import { rememberSender } from '../src/types/signTx.ts'
import { benchChainId } from './signedTransfers.ts'

export interface PoolFigures {
  readonly insertsPerSecond: number
  readonly grownMegabytes: number
  readonly buildMilliseconds: number
  readonly headMilliseconds: number
  readonly evictionsPerSecond: number
}

const blockSize = 1000
/** Requests that clients have under way at a time. */
const inFlight = 512
const baseFee = 7n

const nonces = new Map<string, bigint>()
const head: PoolHead = {
  chainId: benchChainId,
  rules: rulesOf('shanghai'),
  baseFee,
  blobBaseFee: 0n,
  gasLimit: 30_000_000n,
  account: (address) => ({ nonce: nonces.get(keyOf(address)) ?? 0n, balance: 10n ** 24n, codeHash: emptyCodeHash }),
  code: () => emptyBytes,
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Decoding, recovery off-thread and all checks, as for what users send. */
async function fill(pool: Pool, encoded: readonly Uint8Array[]): Promise<void> {
  const recover = createRecoverPool()
  const intake = createIntake({ pool, recover, clock: systemClock, isBlockDue: () => false })
  let next = 0
  const client = async () => {
    for (let i = next++; i < encoded.length; i = next++) {
      const fault = await intake.submit(decodeNetworkTx(encoded[i]!), false)
      if (fault) throw new Error(`transaction ${i}: ${fault.code}`)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  await recover.close()
}

function pickBlock(pool: Pool): PoolEntry[] {
  const best = pool.best({ baseFee, blobBaseFee: 0n })
  const block: PoolEntry[] = []
  for (let entry = best.next(); entry && block.length < blockSize; entry = best.next()) block.push(entry)
  return block
}

/** As many again from other senders, which pay more: each puts out one that is there. */
function overflow(pool: Pool, encoded: readonly Uint8Array[]): void {
  for (const [i, bytes] of encoded.entries()) {
    const { tx } = decodeNetworkTx(bytes)
    const richer = { ...tx, nonce: 0n, maxPriorityFee: 2_000_000_000n }
    rememberSender(richer, bigIntToFixed(BigInt(i) + (1n << 80n), 20) as Address)
    pool.add(richer, { local: false, now: 0 })
  }
}

const encoded = rlpList(decodeRlp(readFileSync(process.argv[2]!))).map((item) => rlpBytes(item))
const pool = createPool(defaultPoolOptions, { head: () => head, mining: () => ({ enabled: true, minGasPrice: 1000n }) })
const before = process.memoryUsage.rss()
const inserting = await timed(() => fill(pool, encoded))
const grown = process.memoryUsage.rss() - before
if (pool.statistics().pendingCount !== encoded.length) throw new Error('not all transactions are pending')

let block: PoolEntry[] = []
const buildMilliseconds = await timed(() => {
  block = pickBlock(pool)
})
for (const { sender, tx } of block) nonces.set(keyOf(sender), tx.nonce + 1n)
const headMilliseconds = await timed(() =>
  pool.onHead({ added: block.map(({ tx }) => tx), removed: [], now: Date.now() }),
)
const newcomers = encoded.slice(0, 20_000)
const overflowing = await timed(() => overflow(pool, newcomers))

const figures: PoolFigures = {
  insertsPerSecond: (encoded.length * 1000) / inserting,
  grownMegabytes: grown / 1e6,
  buildMilliseconds,
  headMilliseconds,
  evictionsPerSecond: (newcomers.length * 1000) / overflowing,
}
process.stdout.write(JSON.stringify(figures))
