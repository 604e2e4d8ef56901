import {
  checkBlockSize,
  checkMadeSize,
  checkProposalSize,
  roomForTransactions,
} from '../../../src/execution/blockSize.ts'
import { BlockError } from '../../../src/execution/fault.ts'
import { rulesOf } from '../../../src/forks/rules.ts'
import type { ForkName } from '../../../src/forks/table.ts'
import { createAnswers } from '../../../src/net/eth/answers.ts'
import { isTooLarge, txToPart } from '../../../src/net/eth/wireTx.ts'
import { findSizeFault } from '../../../src/pool/admission.ts'
import { type Address, type Hash32, zeroAddress } from '../../../src/primitives/bytes.ts'
import { decodeRlp, encodeRlp, scalar } from '../../../src/primitives/rlp.ts'
import { type BlobSidecar, blobSize } from '../../../src/types/blobSidecar.ts'
import { type Block, encodeBlock } from '../../../src/types/block.ts'
import { txToRlp } from '../../../src/types/encodeTx.ts'
import { blankHeader } from '../../../src/types/header.ts'
import type { Tx } from '../../../src/types/transaction.ts'
import { createSilentLogs } from '../../support/silentLogs.ts'
import type { Random } from '../random.ts'
import { naiveSize, withPrefix } from './naiveSize.ts'

const mib = 1 << 20
/** The limits as the operator's page tells them. */
const limits = { made: 8 * mib, proposed: 15 * mib, osaka: 8 * mib, tx: 4 * mib, blobTx: 8 * mib, answer: 10 * mib }
const maxMessage = 0xffffff - 1
const forks: readonly ForkName[] = ['berlin', 'prague', 'osaka']

/** Says what differs from the second opinion; undefined if nothing does. */
export type Case = (random: Random) => string | undefined

function expectVerdict(name: string, refused: boolean, size: number, limit: number): string | undefined {
  return refused === size > limit
    ? undefined
    : `${name}: ${size} bytes are ${refused ? 'refused' : 'taken'}, limit ${limit}`
}

function isRefused(check: () => void): boolean {
  try {
    check()
    return false
  } catch (error) {
    if (error instanceof BlockError && error.at.code === 'BLOCK_TOO_LARGE') return true
    throw error
  }
}

function txOf(random: Random, dataLength: number, type = random.pick([0, 1, 2, 4] as const)): Tx {
  const numbers = () => BigInt(random.below(2 ** 32)) << BigInt(random.below(200))
  const common = {
    nonce: BigInt(random.below(1 << 20)),
    gasLimit: numbers(),
    to: random.percent(80) ? zeroAddress : undefined,
  }
  const seal = { value: numbers(), data: new Uint8Array(dataLength), r: numbers(), s: numbers() }
  if (type === 0) return { type, ...common, ...seal, gasPrice: numbers(), v: 27n }
  const slots = Array.from({ length: random.below(4) }, () => random.bytes(32) as Hash32)
  const accessList = random.percent(50) ? [] : [{ address: random.bytes(20) as Address, slots }]
  const typed = { ...common, ...seal, chainId: 1337n, accessList, yParity: random.below(2) }
  if (type === 1) return { type, ...typed, gasPrice: numbers() }
  const fees = { maxFee: numbers(), maxPriorityFee: numbers() }
  if (type === 2) return { type, ...typed, ...fees }
  const authorization = { chainId: 1n, address: zeroAddress, nonce: 0n, yParity: 1n, r: numbers(), s: numbers() }
  return { type, ...typed, ...fees, to: zeroAddress, authorizations: [authorization] }
}

/** A block of about so many bytes. */
function blockOf(random: Random, bytes: number): Block {
  const transactions: Tx[] = []
  for (let left = bytes; left > 0; ) {
    const share = Math.min(left, random.between(1, random.pick([300, 200_000, 4 * mib])))
    // A small one costs as much time as a large one.
    const length = transactions.length > 200 ? left : share
    transactions.push(txOf(random, length))
    left -= length
  }
  const header = { ...blankHeader, number: BigInt(random.below(2 ** 32)), gasUsed: BigInt(random.below(2 ** 32)) }
  return { header, transactions, ommers: [], withdrawals: undefined }
}

/** The same with as much extra data as makes it exactly so large; undefined if it is too large already. */
function stretched(block: Block, size: number): Block | undefined {
  const sizeWith = (length: number) => naiveSize(itemOf(withExtra(block, length)))
  let length = size - sizeWith(0)
  for (let i = 0; i < 8 && length >= 0; i++) {
    const off = size - sizeWith(length)
    if (off === 0) return withExtra(block, length)
    length += off
  }
  return undefined
}

const withExtra = (block: Block, length: number): Block => ({
  ...block,
  header: { ...block.header, extraData: new Uint8Array(length) },
})
const itemOf = (block: Block) => decodeRlp(encodeBlock(block))

const blocks: Case = (random) => {
  const fork = random.pick(forks)
  const rules = rulesOf(fork)
  const limit = random.pick([limits.made, limits.proposed])
  const block = stretched(
    blockOf(random, limit - random.between(2000, mib)),
    limit + random.pick([-1, 0, 1, random.between(-500, 500)]),
  )
  if (!block) return undefined
  const size = naiveSize(itemOf(block))
  const sealSize = random.pick([0, 1, 4 * 67, 100 * 67])
  const most = fork === 'osaka' ? limits.osaka : Number.POSITIVE_INFINITY
  return (
    expectVerdict(
      'an imported block',
      isRefused(() => checkBlockSize(block, rules)),
      size,
      most,
    ) ??
    expectVerdict(
      'a block made here',
      isRefused(() => checkMadeSize(block, rules)),
      size,
      limits.made,
    ) ??
    expectVerdict(
      'a proposal with its seals',
      isRefused(() => checkProposalSize(block, rules, sealSize)),
      size + sealSize,
      Math.min(most, limits.proposed),
    )
  )
}

/** A header is filled in, and seals are added, after transactions have taken the room that there was. */
const selection: Case = (random) => {
  const rules = rulesOf(random.pick(forks))
  const extraData = random.bytes(random.pick([97, 200, 5000]))
  const draft: Block = {
    header: { ...blankHeader, extraData },
    transactions: [],
    ommers: [],
    withdrawals: rules.withdrawals ? [] : undefined,
  }
  const sealSize = random.pick([0, 4 * 67 + 16, 100 * 67 + 16])
  const room = roomForTransactions(draft, rules, sealSize)
  const transactions: Tx[] = []
  let left = room
  for (let tries = 0; left > 0 && tries < 40; tries++) {
    const tx = txOf(random, Math.min(random.between(1, 4 * mib), Math.max(1, left - 300)))
    const size = tx.type === 0 ? naiveSize(txToRlp(tx)) : naiveSize(new Uint8Array(1 + naiveSize(txToRlp(tx))))
    if (size > left) continue
    transactions.push(tx)
    left -= size
  }
  const full = (1n << 64n) - 1n
  const filled = {
    ...draft.header,
    number: full,
    timestamp: full,
    gasLimit: full,
    gasUsed: full,
    baseFee: full,
    withdrawalsRoot: new Uint8Array(32) as Hash32,
    blobGasUsed: full,
    excessBlobGas: full,
    parentBeaconRoot: new Uint8Array(32) as Hash32,
    requestsHash: new Uint8Array(32) as Hash32,
  }
  const size = naiveSize(itemOf({ ...draft, header: filled, transactions })) + sealSize
  return size > limits.made ? `a block of ${size} bytes was selected` : undefined
}

function sidecarOf(blobs: number): BlobSidecar {
  const many = (length: number, size: number) => Array.from({ length }, () => new Uint8Array(size))
  return { version: 1, blobs: many(blobs, blobSize), commitments: many(blobs, 48), proofs: many(blobs * 128, 48) }
}

const transactions: Case = (random) => {
  const isBlob = random.percent(20)
  const limit = isBlob ? limits.blobTx : limits.tx
  const sidecar = isBlob ? sidecarOf(random.between(1, 6)) : undefined
  const make = (length: number): Tx => {
    const tx = { ...plain, data: new Uint8Array(length) } as Tx
    return isBlob ? ({ ...tx, type: 3, maxBlobFee: 1n, blobHashes: [] } as unknown as Tx) : tx
  }
  const plain = txOf(random, 0, isBlob ? 2 : undefined)
  const sizeOf = (tx: Tx) => {
    const fields = txToRlp(tx)
    if (!sidecar) return naiveSize(fields) + (tx.type === 0 ? 0 : 1)
    return naiveSize([fields, scalar(1), sidecar.blobs, sidecar.commitments, sidecar.proofs]) + 1
  }
  const want = limit + random.pick([-1, 0, 1, random.between(-300, 300)])
  const tx = make(want - sizeOf(make(70_000)) + 70_000)
  const size = sizeOf(tx)
  return (
    expectVerdict('a transaction', findSizeFault(tx, sidecar) !== undefined, size, limit) ??
    expectVerdict("a peer's transaction", isTooLarge(txToPart(tx, sidecar)), size, limit)
  )
}

const answers: Case = (random) => {
  const sizes = Array.from({ length: random.between(1, 6) }, () =>
    random.weighted([
      [3, random.between(100, 100_000)],
      [2, random.between(mib, 2 * mib)],
      [2, limits.answer - random.between(0, 4 * mib)],
      [2, maxMessage - random.between(-100, 200)],
    ]),
  )
  const view = { encodedBody: (hash: Hash32) => new Uint8Array(sizes[hash[0]!]!).fill(0xc0, 0, 1) }
  const chain = { read: <T>(action: (v: never) => T) => action(view as never) }
  const answer = createAnswers({ chain, pool: { get: () => undefined }, log: createSilentLogs() })
  const hashes = sizes.map((_, i) => new Uint8Array(32).fill(i))
  const { payload } = answer('getBlockBodies', encodeRlp([scalar(7), hashes]))
  const sent: number[] = []
  let bytes = 0
  for (const size of sizes) {
    // What fits into no message: an id of one byte and three prefixes of four bytes are beside it.
    if (size > maxMessage - 64) continue
    if (sent.length > 0 && bytes + size > limits.answer - 64) break
    sent.push(size)
    bytes += size
    if (bytes >= 2 * mib) break
  }
  const list = withPrefix(bytes)
  const want = withPrefix(1 + list)
  if (payload.length !== want)
    return `answer to ${sizes.join()}: ${payload.length} bytes instead of ${want} (${sent.join()})`
  if (payload.length > maxMessage) return `answer of ${payload.length} bytes`
  return sent.length > 1 && payload.length > limits.answer
    ? `${sent.length} items in ${payload.length} bytes`
    : undefined
}

export const cases: Readonly<Record<string, Case>> = { blocks, selection, transactions, answers }
