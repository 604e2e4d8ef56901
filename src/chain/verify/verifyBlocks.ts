import { validateBody } from '../../execution/validateBody.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
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
  stateEdits,
  transactions,
} from '../../store/chainTables.ts'
import { code } from '../../store/schema.ts'
import type { AnyTable, Reader } from '../../store/table.ts'
import { orderedTrieRoot } from '../../trie/orderedRoot.ts'
import { encodeBody } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import { encodeReceipt } from '../../types/receipt.ts'
import type { ConsensusEngine } from '../engine.ts'
import { canonicalKey, hasNoReceipts, readBody, readHeader, readMark } from '../records.ts'
import { decodeReceipts, encodeReceipts } from '../storedReceipts.ts'

export interface BlockCheck {
  readonly spec: ChainSpec
  readonly consensus: Pick<ConsensusEngine, 'hash'>
  readonly genesis: Hash32
  /** Number of rows of a table. */
  readonly rows: (table: AnyTable) => number
}

/** Checks every block, canonical or not, and what is stored about it; returns the number of the head. */
export function verifyBlocks(reader: Reader, { spec, consensus, genesis, rows }: BlockCheck, report: Report): number {
  const all = rows(headers)
  let done = 0
  let withBody = 0
  let withReceipts = 0
  checkPart(report, headers.name, () => {
    for (const [key] of reader.range(headers, {})) {
      checkPart(report, headers.name, () => verifyHeader(key))
      checkPart(report, bodies.name, () => verifyBody(key))
      checkPart(report, receipts.name, () => verifyReceipts(key))
      report.progress('blocks', ++done, all)
    }
  })
  expectCount(numbers, all, 'blocks')
  expectCount(bodies, withBody, 'blocks that are not empty')
  expectCount(receipts, withReceipts, 'executed blocks that are not empty')
  const head = verifyCanonical()
  verifyRest()
  return head

  function verifyHeader(key: BlockKey): void {
    const record = readHeader(reader, key)!
    const name = `block ${key.number}`
    if (!equalBytes(consensus.hash(record.header), key.hash) || Number(record.header.number) !== key.number)
      report.fault(headers.name, `the header of ${name} does not have the hash ${toHex(key.hash)}`)
    if (reader.get(numbers, key.hash) !== key.number) report.fault(numbers.name, `the number of ${name} is damaged`)
    const parent =
      key.number === 0 ? undefined : readHeader(reader, { number: key.number - 1, hash: record.header.parentHash })
    if (key.number > 0 && !parent) report.fault(headers.name, `the parent of ${name} is missing`)
    if (record.totalDifficulty !== (parent?.totalDifficulty ?? 0n) + record.header.difficulty)
      report.fault(headers.name, `the total difficulty of ${name} is damaged`)
  }

  function verifyBody(key: BlockKey): void {
    const body = readBody(reader, key)
    if (!body) {
      report.fault(bodies.name, `the body of block ${key.number} is missing`)
      return
    }
    const { header } = readHeader(reader, key)!
    validateBody({ header, ...body }, { ...spec.rulesAt(header), maxBlockSize: undefined })
    const stored = reader.get(bodies, key)
    if (!stored) return
    withBody++
    if (!equalBytes(encodeBody(body), stored)) report.fault(bodies.name, `the body of block ${key.number} is damaged`)
  }

  function verifyReceipts(key: BlockKey): void {
    const stored = reader.get(receipts, key)
    if (!stored) return
    withReceipts++
    const list = decodeReceipts(stored)
    const { header } = readHeader(reader, key)!
    const damaged =
      !equalBytes(orderedTrieRoot(list.map(encodeReceipt)), header.receiptsRoot) ||
      !equalBytes(encodeReceipts(list), stored)
    if (damaged) report.fault(receipts.name, `the receipts of block ${key.number} do not match its header`)
  }

  /** The canonical chain goes from the genesis block to the head without a gap, and each transaction is found. */
  function verifyCanonical(): number {
    let txs = 0
    let number = 0
    checkPart(report, canonical.name, () => {
      let parent: Hash32 | undefined
      for (;;) {
        const key = canonicalKey(reader, BigInt(number))
        if (!key) break
        const record = readHeader(reader, key)
        if (!record || (parent && !equalBytes(record.header.parentHash, parent)))
          throw new Error(`canonical block ${number} does not follow the one before`)
        if (number === 0 && !equalBytes(key.hash, genesis))
          throw new Error('the genesis block is that of another network')
        if (!reader.peek(receipts, key) && !hasNoReceipts(record.header))
          report.fault(receipts.name, `the receipts of block ${number} are missing`)
        for (const [index, tx] of (readBody(reader, key)?.transactions ?? []).entries()) {
          const place = reader.get(transactions, txHash(tx))
          if (place?.number !== number || place.index !== index)
            report.fault(transactions.name, `transaction ${toHex(txHash(tx))} is not found`)
          txs++
        }
        parent = key.hash
        report.progress('canonical chain', ++number, all)
      }
    })
    expectCount(canonical, number, 'canonical blocks')
    expectCount(transactions, txs, 'transactions')
    const head = readMark(reader, 'head')
    const last = canonicalKey(reader, BigInt(number - 1))
    if (!head || !last || !equalBytes(head.hash, last.hash))
      report.fault(marks.name, 'the head is not the last canonical block')
    return number - 1
  }

  /** What stands on its own: code and changes of the state by their hashes, names of blocks. */
  function verifyRest(): void {
    for (const table of [code, stateEdits])
      checkPart(report, table.name, () => {
        for (const [hash, bytes] of reader.range(table, {}))
          if (!equalBytes(keccak256(bytes), hash)) report.fault(table.name, `${toHex(hash)} is damaged`)
      })
    checkPart(report, marks.name, () => {
      for (const [key, hash] of reader.range(marks, {})) {
        const name = new TextDecoder().decode(key)
        const known = ['head', 'safe', 'finalized'].includes(name)
        if (!known || (hash.length > 0 && (hash.length !== 32 || reader.get(numbers, hash as Hash32) === undefined)))
          report.fault(marks.name, `the mark '${name}' names no block`)
      }
    })
    checkPart(report, engineRecords.name, () => {
      for (const [key] of reader.range(engineRecords, {}))
        if (reader.peek(headers, key) === undefined)
          report.fault(engineRecords.name, `block ${key.number} (${toHex(key.hash)}) is not there`)
    })
    checkPart(report, impersonatedSenders.name, () => {
      for (const [, sender] of reader.range(impersonatedSenders, {}))
        if (sender.length !== 20) report.fault(impersonatedSenders.name, 'a sender is damaged')
    })
  }

  function expectCount(table: AnyTable, want: number, what: string): void {
    const have = rows(table)
    if (have !== want) report.fault(table.name, `there are ${have} rows for ${want} ${what}`)
  }
}
