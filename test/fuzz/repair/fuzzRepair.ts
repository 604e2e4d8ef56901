import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createSignedRecord } from '../../../src/consensus/producing/signedRecord.ts'
import { repairData } from '../../../src/maintenance/repairData.ts'
import { verifyData } from '../../../src/maintenance/verifyData.ts'
import { concatBytes, equalBytes, zeroAddress } from '../../../src/primitives/bytes.ts'
import { openStore } from '../../../src/store/openStore.ts'
import { privateState } from '../../../src/store/schema.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import { devNetwork } from '../../support/fillChain.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { devTx, makeBlock, openTestChain } from '../../support/testChain.ts'
import type { Extent } from '../extent.ts'
import { createRandom, type Random } from '../random.ts'
import { type PlacedRow, placedRows } from './rowPages.ts'

const pageSize = 4096
const quiet = () => {}

/** What a repair must bring back. */
interface Wanted {
  /** Hashes of the canonical blocks, by number. */
  readonly hashes: readonly Buffer[]
  readonly record: Uint8Array
  readonly rows: readonly PlacedRow[]
}

/**
 * Random chains, of which random pages are damaged: the repaired database passes every check, has all blocks up to the first that lies
 * on a damaged page, and the record of what was signed, or says that it is lost. What lies where is read by other code.
 */
export async function fuzzRepair({ minutes, count, seed }: Extent): Promise<Tally> {
  return withCampaignFolder('repair', async (folder) => {
    const end = performance.now() + minutes * 60_000
    let [whole, cut, records, failed, done] = [0, 0, 0, 0, 0]
    for (; done < count && performance.now() < end; done++) {
      const random = createRandom(seed + done)
      const path = join(folder, `${done}`)
      try {
        const wanted = await makeDatabase(path, random)
        const { kept, recordKept } = await damageAndRepair(path, wanted, random)
        if (kept === wanted.hashes.length - 1) whole++
        else cut++
        if (recordKept) records++
      } catch (error) {
        failed++
        process.stdout.write(`seed ${seed + done}: ${error instanceof Error ? error.stack : String(error)}\n`)
      }
      rmSync(path, { recursive: true, force: true })
    }
    process.stdout.write(`${whole} repaired to the head, ${cut} to the damaged block; ${records} records kept\n`)
    return { passed: done - failed, failed }
  })
}

/** A database with blocks of 0 to 60 transactions of all sizes, private state, and a record of what was signed. */
async function makeDatabase(path: string, random: Random): Promise<Wanted> {
  const node = openTestChain(undefined, path)
  const record = random.bytes(random.below(random.pick([200, 3000, 5000, 20_000])) + 1)
  const blocks = random.between(1, 40)
  let nonce = 0n
  for (let i = 0; i < blocks; i++) {
    const txs = Array.from({ length: random.percent(30) ? 0 : random.between(1, random.pick([5, 30, 60])) }, () =>
      devTx(nonce++, { to: zeroAddress, data: random.bytes(random.below(random.pick([1, 60, 300]))) }),
    )
    makeBlock(node.chain, txs)
    // As a validator does: before each block.
    if (random.percent(40))
      createSignedRecord(node.store, zeroAddress, 'bft').write(random.bytes(random.below(6000) + 1))
    if (random.percent(30))
      node.store.write((txn) =>
        txn.put(
          privateState.accounts,
          concatBytes(random.bytes(32), random.bytes(32)),
          random.bytes(random.below(4000) + 1),
        ),
      )
  }
  createSignedRecord(node.store, zeroAddress, 'bft').write(record)
  await node.close()
  forgetOwner(join(path, 'database/data.mdb'))
  const rows = placedRows(join(path, 'database/data.mdb'))
  const hashes = rows.filter(({ table, key }) => table === 'canonical' && key.length === 6).map(({ value }) => value)
  return { hashes, record, rows }
}

/** Old pages still name this process as the owner, which runs; a process that left a database to be repaired does not. */
function forgetOwner(file: string): void {
  const bytes = readFileSync(file)
  const mark = Buffer.from(`"pid":${process.pid},`)
  const other = Buffer.from(`"pid":${'9'.repeat(String(process.pid).length)},`)
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at)) other.copy(bytes, at)
  writeFileSync(file, bytes)
}

/** The last block before the first of which a row that cannot be computed lies on a damaged page. */
function lastWhole({ hashes, rows }: Wanted, damaged: ReadonlySet<number>): number {
  const hit = new Set(
    rows
      .filter(
        ({ table, pages }) => (table === 'headers' || table === 'bodies') && pages.some((page) => damaged.has(page)),
      )
      .map(({ key }) => key.toString('hex')),
  )
  const isHit = (hash: Buffer, number: number) => {
    const key = Buffer.alloc(6)
    key.writeUIntBE(number, 0, 6)
    return hit.has(Buffer.concat([key, hash]).toString('hex'))
  }
  // The genesis block is made again.
  const first = hashes.findIndex((hash, number) => number > 0 && isHit(hash, number))
  return first < 0 ? hashes.length - 1 : first - 1
}

async function damageAndRepair(path: string, wanted: Wanted, random: Random) {
  const file = join(path, 'database/data.mdb')
  const damaged = damage(file, random)
  const repaired = await repairData(path, devNetwork, { keepRevertReasons: true, indexLogs: true, onProgress: quiet })
  const { head, findings } = await verifyData(path, devNetwork, quiet)
  if (findings.length > 0) throw new Error(`what was repaired is damaged: ${JSON.stringify(findings)}`)
  const least = lastWhole(wanted, damaged)
  if (repaired.kept < least) throw new Error(`${repaired.kept} of ${least} sound blocks are left: ${repaired.reason}`)
  if (head?.number !== repaired.kept) throw new Error(`the head is ${head?.number}, not ${repaired.kept}`)
  if (!equalBytes(head.hash, wanted.hashes[repaired.kept]!)) throw new Error(`block ${repaired.kept} is another one`)
  const isCut = repaired.kept < wanted.hashes.length - 1
  if (isCut && repaired.reason === undefined && repaired.wanted >= wanted.hashes.length - 1)
    throw new Error('nothing is said of the blocks that are lost')
  checkRecord(path, wanted, damaged, repaired.recordKept)
  return repaired
}

/** The record is there as it was, or said to be lost; it is there if nothing of its table was hit. */
function checkRecord(path: string, { record, rows }: Wanted, damaged: ReadonlySet<number>, isKept: boolean): void {
  const store = openStore(join(path, 'database'))
  try {
    const found = createSignedRecord(store, zeroAddress, 'bft').read()
    if (isKept && !(found && equalBytes(found, record))) throw new Error('the record of what was signed is another one')
  } finally {
    void store.close()
  }
  const isHit = rows.some(({ table, pages }) => table === 'signed' && pages.some((page) => damaged.has(page)))
  const mayBeLost = isHit || [0, 1].some((page) => damaged.has(page))
  // A page that holds no row may be of the list of tables, or a branch: what it led to cannot be told from what was there before.
  const withRows = new Set(rows.flatMap(({ pages }) => pages))
  const isInner = [...damaged].some((page) => !withRows.has(page))
  if (!isKept && !mayBeLost && !isInner) throw new Error('a sound record was given up')
}

/** Damages pages; returns which. */
function damage(file: string, random: Random): ReadonlySet<number> {
  const { size } = statSync(file)
  const pages = size / pageSize
  const damaged = new Set<number>()
  const descriptor = openSync(file, 'r+')
  const bytes = readFileSync(file)
  const used = new Set([0, 1])
  for (let page = 2; page < pages; page++)
    if (bytes.subarray(page * pageSize, page * pageSize + 24).some((byte) => byte > 0)) used.add(page)
  const last = Math.max(...used)
  const times = random.pick([1, 1, 1, 2, 5])
  for (let i = 0; i < times; i++) {
    const page = random.percent(4) ? random.below(2) : random.between(2, last)
    // One of the two says what was committed.
    if (page < 2 && damaged.size > 0 && [0, 1].some((meta) => damaged.has(meta))) continue
    damaged.add(page)
    if (random.percent(30)) writeSync(descriptor, Buffer.alloc(pageSize), 0, pageSize, page * pageSize)
    else
      for (let flips = random.between(1, 4); flips > 0; flips--) {
        const at = page * pageSize + random.below(pageSize)
        writeSync(descriptor, Buffer.of(bytes[at]! ^ random.between(1, 255)), 0, 1, at)
      }
  }
  closeSync(descriptor)
  if (random.percent(10)) {
    const kept = random.between(Math.floor(last / 2), last)
    truncateSync(file, kept * pageSize)
    for (let page = kept; page <= last; page++) damaged.add(page)
  }
  return damaged
}
