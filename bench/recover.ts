import { availableParallelism } from 'node:os'
import { concatBytes } from '../src/primitives/bytes.ts'
import { keccak256 } from '../src/primitives/keccak.ts'
import { createJavaScriptCurve, createNativeCurve } from '../src/primitives/secp256k1.ts'
import { createBatchRecovery, maxBatch } from '../src/recovery/batchRecovery.ts'
import { recoverBatch } from '../src/recovery/recoverBatch.ts'
import { createRecoverPool } from '../src/recovery/recoverPool.ts'
import { decodeTx } from '../src/types/decodeTx.ts'
import { recoveryInput } from '../src/types/signTx.ts'
import { measureRate, round } from './rate.ts'
import { signedTransfers } from './signedTransfers.ts'
import type { BenchTable } from './table.ts'

const batchSize = 2048

async function threadedRate(inputs: Uint8Array, threads: number): Promise<{ rate: number; busy: number }> {
  const pool = createRecoverPool({ threads })
  await pool.recover(inputs)
  const before = performance.eventLoopUtilization()
  const start = performance.now()
  let count = 0
  while (performance.now() - start < 2000) count += (await pool.recover(inputs)).length
  const rate = (count * 1000) / (performance.now() - start)
  const busy = performance.eventLoopUtilization(before).utilization
  await pool.close()
  return { rate, busy }
}

async function run(): Promise<BenchTable> {
  const inputs = concatBytes(...signedTransfers(batchSize, 64).map((bytes) => recoveryInput(decodeTx(bytes))!))
  const digest = keccak256(inputs)
  const key = new Uint8Array(32).fill(1)
  const rows: [string, string, string][] = []
  for (const curve of [createJavaScriptCurve(), createNativeCurve()]) {
    if (!curve) continue
    const { rs, parity } = curve.sign(digest, key)
    const rate = measureRate(() => (curve.recover(digest, rs, parity) ? 1 : 0))
    rows.push([`public key, ${curve.name}`, round(rate), '100 %'])
  }
  const own = createBatchRecovery()
  if (own) {
    const { rs, parity } = createJavaScriptCurve().sign(digest, key)
    const batch = Array.from({ length: maxBatch }, () => ({ digest, rs, parity }))
    rows.push(['public key, our own arithmetic', round(measureRate(() => own.recover(batch)?.length ?? 0)), '100 %'])
  }
  rows.push(['sender, this thread', round(measureRate(() => recoverBatch(inputs).length / 21)), '100 %'])
  for (let threads = 1; threads <= availableParallelism(); threads++) {
    const { rate, busy } = await threadedRate(inputs, threads)
    rows.push([`sender, other threads: ${threads}`, round(rate), `${Math.round(busy * 100)} %`])
  }
  return { title: 'Sender recovery', columns: ['what', 'per second', 'event loop busy'], rows, json: rows }
}

export const bench = { name: 'recover', doc: 'Recovery of senders from signatures, in this thread and in others.', run }
