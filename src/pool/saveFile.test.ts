import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { chainId, createWorld, feeMarketTransfer, gwei, transfer } from '../../test/support/poolFixtures.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { createRecoverPool } from '../recovery/recoverPool.ts'
import { type BlobSidecar, blobHashOf, blobSize, encodeNetworkTx } from '../types/blobSidecar.ts'
import { encodeTx } from '../types/encodeTx.ts'
import { signTx } from '../types/signTx.ts'
import type { Tx, UnsignedTx } from '../types/transaction.ts'
import type { Pool } from './pool.ts'
import { restorePool, savePool } from './saveFile.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-pool-'))
afterAll(() => rmSync(folder, { recursive: true }))
const recover = createRecoverPool({ threads: 0 })

const key = (n: number) => new Uint8Array(32).fill(n)
const commitment = new Uint8Array(48).fill(3)
const sidecar: BlobSidecar = {
  version: 0,
  blobs: [new Uint8Array(blobSize).fill(1)],
  commitments: [commitment],
  proofs: [new Uint8Array(48)],
}

function sign(tx: Tx, n: number): Tx {
  const { r: _, s: __, ...fields } = tx
  return signTx((tx.type === 0 ? { ...fields, chainId } : fields) as UnsignedTx, key(n))
}

const legacy = sign(transfer(0, 0, gwei), 1)
const queued = sign(transfer(0, 2, gwei), 1)
const feeMarket = sign(feeMarketTransfer(0, 0, { maxFee: gwei, maxPriorityFee: 1n }), 2)
const blob = sign(
  {
    ...feeMarketTransfer(0, 0, { maxFee: gwei, maxPriorityFee: 1n }),
    type: 3,
    maxBlobFee: 9n,
    blobHashes: [blobHashOf(commitment)],
  },
  3,
)

function filled() {
  const world = createWorld({ fork: 'cancun' })
  expect(world.add(legacy, { local: true })).toBe('added')
  expect(world.add(queued)).toBe('added')
  expect(world.add(feeMarket)).toBe('added')
  expect(world.add(blob, { sidecar })).toBe('added')
  return world
}

test('a restart keeps transactions, where they came from, and their blobs', async () => {
  const path = join(folder, 'whole')
  const { pool } = filled()
  savePool(pool, path)
  const fresh = createWorld({ fork: 'cancun' })
  const outcome = await restorePool(path, { pool: fresh.pool, recover, now: () => 5 }, 1000)
  expect(outcome).toEqual({ restored: 4, refused: 0, complete: true })
  const told = (pool: Pool) =>
    [...pool.entries()].map((e) => [
      e.hash,
      e.sender,
      e.local,
      Buffer.from(encodeNetworkTx(e.tx, e.sidecar)).toString('hex'),
    ])
  expect(told(fresh.pool)).toEqual(told(pool))
  expect([...fresh.pool.queued()].map((e) => e.tx.nonce)).toEqual([2n])
  expect(readdirSync(folder)).toEqual(['whole'])
})

test('what has become invalid and what cannot be read is left behind', async () => {
  const path = join(folder, 'stale')
  savePool(filled().pool, path)
  writeFileSync(path, 'nonsense\nlAAAA\nr\n', { flag: 'a' })
  const later = createWorld({ fork: 'cancun' })
  later.mining = { enabled: true, minGasPrice: 2n * gwei }
  const outcome = await restorePool(path, { pool: later.pool, recover, now: () => 0 }, 1000)
  expect(outcome).toEqual({ restored: 1, refused: 6, complete: true })
})

test('the file is the one that Besu writes', () => {
  const path = join(folder, 'lines')
  const world = createWorld()
  world.add(legacy, { local: true })
  world.add(feeMarket)
  savePool(world.pool, path)
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  expect(readFileSync(path, 'utf8')).toBe(`l${base64(encodeTx(legacy))}\nr${base64(encodeRlp(encodeTx(feeMarket)))}\n`)
})

test('restoring ends when the time is up', async () => {
  const path = join(folder, 'slow')
  const line = `l${Buffer.from(encodeTx(legacy)).toString('base64')}\n`
  writeFileSync(path, line.repeat(3000))
  let now = 0
  const world = createWorld()
  const outcome = await restorePool(path, { pool: world.pool, recover, now: () => (now += 1) }, 10)
  expect(outcome.complete).toBe(false)
  expect(outcome.restored).toBe(1)
})

test('without a file there is nothing to restore', async () => {
  const { pool } = createWorld()
  const outcome = await restorePool(join(folder, 'none'), { pool, recover, now: () => 0 }, 1000)
  expect(outcome).toEqual({ restored: 0, refused: 0, complete: true })
})

test('a failed save leaves the old file and no other', () => {
  const path = join(folder, 'kept')
  writeFileSync(path, 'before')
  const broken = {
    entries: () => {
      throw new Error('broken')
    },
  }
  expect(() => savePool(broken, path)).toThrow('broken')
  expect(readFileSync(path, 'utf8')).toBe('before')
  expect(readdirSync(folder).filter((name) => name.startsWith('kept'))).toEqual(['kept'])
})
