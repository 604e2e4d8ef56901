import { validateBody } from '../../execution/validateBody.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { emptyBytes, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { checkPart, type Report } from '../../state/verify/report.ts'
import {
  type BlockKey,
  bodies,
  canonical,
  engineRecords,
  headers,
  impersonatedSenders,
  marks,
  numbers,
  receipts,
  senders,
  stateEdits,
  transactions,
} from '../../store/chainTables.ts'
import { code } from '../../store/schema.ts'
import type { AnyTable, Reader } from '../../store/table.ts'
import { orderedTrieRoot } from '../../trie/orderedRoot.ts'
import { encodeBody } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import { isImpersonated } from '../../types/impersonate.ts'
import { encodeReceipt } from '../../types/receipt.ts'
import { senderOf } from '../../types/signTx.ts'
import type { Tx } from '../../types/transaction.ts'
import { blockIndexes } from '../blockIndexes.ts'
import type { ConsensusEngine } from '../engine.ts'
import { canonicalKey, hasNoReceipts, isCanonicalKey, readBody, readHeader, readMark } from '../records.ts'
import { decodeStoredBody } from '../storedBody.ts'
import { decodeReceipts, encodeReceipts } from '../storedReceipts.ts'
import { readPast } from '../takeOver/past.ts'

export interface BlockCheck {
  readonly spec: ChainSpec
  readonly consensus: Pick<ConsensusEngine, 'hash'>
  readonly genesis: Hash32
  /** Number of rows of a table. */
  readonly rows: (table: AnyTable) => number
}

interface BlockVerifier {
  verify(): number
}

const markNames: ReadonlySet<string> = new Set([
  ...['head', 'safe', 'finalized', 'ahead'],
  ...blockIndexes.map(({ kind }) => `index.${kind.name}`),
])

/** Counts what it meets while it checks, so that rows which belong to nothing are found. */
class StoredBlocks implements BlockVerifier {
  private readonly reader: Reader
  private readonly check: BlockCheck
  private readonly report: Report
  private readonly all: number
  private done = 0
  private withBody = 0
  private withReceipts = 0
  private withSenders = 0
  /** Of blocks below the first one, and of canonical ones above the head, only headers are there. */
  private readonly first: number
  private readonly head: number

  constructor(reader: Reader, check: BlockCheck, report: Report) {
    this.report = report
    this.check = check
    this.reader = reader
    this.all = check.rows(headers)
    this.first = readPast(reader)?.first ?? 0
    this.head = readMark(reader, 'head')?.number ?? 0
  }

  /** Whether there is nothing of a block but its header. */
  private isBare(key: BlockKey): boolean {
    return key.number < this.first || (key.number > this.head && isCanonicalKey(this.reader, key))
  }

  private verifyHeader(key: BlockKey): void {
    const record = readHeader(this.reader, key)!
    const name = `block ${key.number}`
    if (!equalBytes(this.check.consensus.hash(record.header), key.hash) || Number(record.header.number) !== key.number)
      this.report.fault(headers.name, `the header of ${name} does not have the hash ${toHex(key.hash)}`)
    if (this.reader.get(numbers, key.hash) !== key.number)
      this.report.fault(numbers.name, `the number of ${name} is damaged`)
    const parent =
      key.number === 0 ? undefined : readHeader(this.reader, { number: key.number - 1, hash: record.header.parentHash })
    if (key.number > 0 && !parent) this.report.fault(headers.name, `the parent of ${name} is missing`)
    if (record.totalDifficulty !== (parent?.totalDifficulty ?? 0n) + record.header.difficulty)
      this.report.fault(headers.name, `the total difficulty of ${name} is damaged`)
  }

  private verifyBody(key: BlockKey): void {
    const body = readBody(this.reader, key)
    if (!body) {
      if (this.isBare(key)) return
      this.report.fault(bodies.name, `the body of block ${key.number} is missing`)
      return
    }
    const { header } = readHeader(this.reader, key)!
    validateBody({ header, ...body }, { ...this.check.spec.rulesAt(header), maxBlockSize: undefined })
    const stored = this.reader.get(bodies, key)
    if (!stored) return
    this.withBody++
    if (!equalBytes(encodeBody(body), stored))
      this.report.fault(bodies.name, `the body of block ${key.number} is damaged`)
  }

  private verifyReceipts(key: BlockKey): void {
    const stored = this.reader.get(receipts, key)
    if (!stored) return
    this.withReceipts++
    const list = decodeReceipts(stored)
    const { header } = readHeader(this.reader, key)!
    const damaged =
      !equalBytes(orderedTrieRoot(list.map(encodeReceipt)), header.receiptsRoot) ||
      !equalBytes(encodeReceipts(list), stored)
    if (damaged) this.report.fault(receipts.name, `the receipts of block ${key.number} do not match its header`)
  }

  private verifySenders(key: BlockKey): void {
    const stored = this.reader.get(senders, key)
    if (!stored) return
    this.withSenders++
    // Not as `readBody` returns them, which believes the row.
    const signed = decodeStoredBody(this.reader.get(bodies, key), undefined)?.transactions ?? []
    const isRight = (tx: Tx, index: number) => {
      const sender = stored.subarray(20 * index, 20 * (index + 1))
      return isImpersonated(tx) || equalBytes(senderOf(tx) ?? emptyBytes, sender)
    }
    if (stored.length !== 20 * signed.length || !signed.every(isRight))
      this.report.fault(senders.name, `the senders of block ${key.number} are not those who signed its transactions`)
  }

  /** The canonical chain goes from the genesis block to the head without a gap, and each transaction is found. */
  private verifyCanonical(): number {
    let txs = 0
    let number = 0
    checkPart(this.report, canonical.name, () => {
      let parent: Hash32 | undefined
      for (;;) {
        const key = canonicalKey(this.reader, BigInt(number))
        if (!key) break
        const record = readHeader(this.reader, key)
        if (!record || (parent && !equalBytes(record.header.parentHash, parent)))
          throw new Error(`canonical block ${number} does not follow the one before`)
        if (number === 0 && !equalBytes(key.hash, this.check.genesis))
          throw new Error('the genesis block is that of another network')
        if (!this.reader.peek(receipts, key) && !hasNoReceipts(record.header) && !this.isBare(key))
          this.report.fault(receipts.name, `the receipts of block ${number} are missing`)
        for (const [index, tx] of (readBody(this.reader, key)?.transactions ?? []).entries()) {
          const place = this.reader.get(transactions, txHash(tx))
          const isFound = place?.number === number && place.index === index
          // What a block below the first one still has is being removed.
          if (!isFound && number < this.first) continue
          if (!isFound) this.report.fault(transactions.name, `transaction ${toHex(txHash(tx))} is not found`)
          txs++
        }
        parent = key.hash
        this.report.progress('canonical chain', ++number, this.all)
      }
    })
    this.expectCount(canonical, number, 'canonical blocks')
    this.expectCount(transactions, txs, 'transactions')
    const end = readMark(this.reader, 'ahead') ?? readMark(this.reader, 'head')
    const last = canonicalKey(this.reader, BigInt(number - 1))
    if (!end || !last || !equalBytes(end.hash, last.hash))
      this.report.fault(marks.name, 'the head is not the last canonical block')
    return Math.min(this.head, number - 1)
  }

  /** What stands on its own: code and changes of the state by their hashes, names of blocks. */
  private verifyRest(): void {
    for (const table of [code, stateEdits])
      checkPart(this.report, table.name, () => {
        for (const [hash, bytes] of this.reader.range(table, {}))
          if (!equalBytes(keccak256(bytes), hash)) this.report.fault(table.name, `${toHex(hash)} is damaged`)
      })
    checkPart(this.report, marks.name, () => {
      for (const [key, hash] of this.reader.range(marks, {})) {
        const name = new TextDecoder().decode(key)
        const known = markNames.has(name)
        if (
          !known ||
          (hash.length > 0 && (hash.length !== 32 || this.reader.get(numbers, hash as Hash32) === undefined))
        )
          this.report.fault(marks.name, `the mark '${name}' names no block`)
      }
    })
    checkPart(this.report, engineRecords.name, () => {
      for (const [key] of this.reader.range(engineRecords, {}))
        if (this.reader.peek(headers, key) === undefined)
          this.report.fault(engineRecords.name, `block ${key.number} (${toHex(key.hash)}) is not there`)
    })
    checkPart(this.report, impersonatedSenders.name, () => {
      for (const [, sender] of this.reader.range(impersonatedSenders, {}))
        if (sender.length !== 20) this.report.fault(impersonatedSenders.name, 'a sender is damaged')
    })
  }

  private expectCount(table: AnyTable, want: number, what: string): void {
    const have = this.check.rows(table)
    if (have !== want) this.report.fault(table.name, `there are ${have} rows for ${want} ${what}`)
  }

  readonly verify: BlockVerifier['verify'] = () => {
    checkPart(this.report, headers.name, () => {
      for (const [key] of this.reader.range(headers, {})) {
        checkPart(this.report, headers.name, () => this.verifyHeader(key))
        checkPart(this.report, bodies.name, () => this.verifyBody(key))
        checkPart(this.report, receipts.name, () => this.verifyReceipts(key))
        checkPart(this.report, senders.name, () => this.verifySenders(key))
        this.report.progress('blocks', ++this.done, this.all)
      }
    })
    this.expectCount(numbers, this.all, 'blocks')
    this.expectCount(bodies, this.withBody, 'blocks that are not empty')
    this.expectCount(receipts, this.withReceipts, 'executed blocks that are not empty')
    this.expectCount(senders, this.withSenders, 'executed blocks that are not empty')
    const head = this.verifyCanonical()
    this.verifyRest()
    return head
  }
}

function createBlockVerifier(reader: Reader, check: BlockCheck, report: Report): BlockVerifier {
  return new StoredBlocks(reader, check, report)
}

/** Checks every block, canonical or not, and what is stored about it; returns the number of the head. */
export function verifyBlocks(reader: Reader, check: BlockCheck, report: Report): number {
  return createBlockVerifier(reader, check, report).verify()
}
