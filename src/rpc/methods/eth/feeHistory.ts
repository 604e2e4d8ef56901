import type { ChainView, HashedHeader } from '../../../chain/view.ts'
import { nextBaseFee } from '../../../execution/baseFee.ts'
import { blobBaseFee, blobBaseFeeOf, nextExcessBlobGas } from '../../../execution/blobFee.ts'
import { gasPerBlob } from '../../../execution/intrinsicGas.ts'
import { nextRules } from '../../../query/nextRules.ts'
import { priorityFeeOf } from '../../../types/transaction.ts'
import { magnitudeOf } from '../../calls/magnitude.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { decimal, decodeInteger } from '../../codecs/integer.ts'
import { listDecoder, listEncoder } from '../../codecs/list.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

interface FeeHistory {
  readonly oldestBlock: bigint
  /** One more than there are blocks: the last is that of the next block. */
  readonly baseFees: readonly bigint[]
  readonly gasUsedRatios: readonly number[]
  readonly rewards: readonly (readonly bigint[])[] | undefined
  /** Undefined before Prague. */
  readonly blobs: BlobHistory | undefined
}

interface BlobHistory {
  /** One more than there are blocks, as of base fees. */
  readonly baseFees: readonly bigint[]
  readonly gasUsedRatios: readonly number[]
}

const feeHistoryObject = record<FeeHistory>('fee history', (member) => [
  member('oldestBlock', quantity, ({ oldestBlock }) => oldestBlock),
  member('baseFeePerGas', listEncoder(quantity), ({ baseFees }) => baseFees),
  member.optional('baseFeePerBlobGas', listEncoder(quantity), ({ blobs }) => blobs?.baseFees),
  member('gasUsedRatio', listEncoder(decimal), ({ gasUsedRatios }) => gasUsedRatios),
  member.optional('blobGasUsedRatio', listEncoder(decimal), ({ blobs }) => blobs?.gasUsedRatios),
  member.optional('reward', listEncoder(listEncoder(quantity)), ({ rewards }) => rewards),
])

const maxCount = 1024n

const blockCount: Decoder<bigint> = {
  schema: { title: 'block count', type: ['string', 'integer'], minimum: 1, maximum: Number(maxCount) },
  decode(json) {
    const count = decodeInteger(json)
    if (count < 1n || count > maxCount) throw invalidParams()
    return count
  },
}

const percentile: Decoder<number> = {
  schema: decimal.schema,
  decode(json) {
    if (json === null) throw invalidParams('a percentile must be a number')
    return decimal.decode(json)
  },
}

/** Unlike elsewhere, an unknown safe or finalized block is replaced by the head. */
function newestOf(chain: ChainView, ref: ReturnType<typeof blockNumber.decode>): bigint {
  if ('tag' in ref) return ref.tag === 'earliest' ? 0n : chain.head.header.number
  if (ref.number > chain.head.header.number) throw invalidParams()
  return ref.number
}

/** Priority fees by percentile of the gas of a block's transactions, cheapest first. */
function rewardsOf(chain: ChainView, { header, hash }: HashedHeader, sorted: readonly number[]): bigint[] {
  const transactions = chain.body(hash)?.transactions ?? []
  const receipts = chain.receipts(hash) ?? []
  if (transactions.length === 0) return sorted.map(() => 0n)
  const paid = transactions
    .map((tx, i) => ({ fee: priorityFeeOf(tx, header.baseFee ?? 0n), gas: receipts[i]!.gasUsed }))
    .sort((a, b) => (a.fee < b.fee ? -1 : a.fee > b.fee ? 1 : 0))
  let at = 0
  let gas = paid[0]!.gas
  return sorted.map((wanted) => {
    while (at < paid.length - 1 && Number(gas) * 100 < wanted * Number(header.gasUsed)) gas += paid[++at]!.gas
    return paid[at]!.fee
  })
}

/** Base fee of the block after `parent`. */
function followingBaseFee(chain: ChainView, parent: HashedHeader): bigint {
  const known = chain.headerAt(parent.header.number + 1n)
  if (known) return known.header.baseFee ?? 0n
  return nextRules(chain.spec, parent.header).baseFee ? nextBaseFee(parent.header, chain.spec) : 0n
}

/** Price of blob gas in the block after `parent`; undefined if that is before Prague. */
function followingBlobFee(chain: ChainView, parent: HashedHeader): bigint | undefined {
  const known = chain.headerAt(parent.header.number + 1n)
  const rules = known ? chain.rulesOf(known.header) : nextRules(chain.spec, parent.header)
  if (!rules.requests || !rules.blobs) return undefined
  return known ? blobBaseFeeOf(known.header, rules) : blobBaseFee(nextExcessBlobGas(parent.header, rules), rules.blobs)
}

/** As in Besu since 24.3; clients of chains before Prague get what those of Besu 23.10 get. */
function blobHistoryOf(chain: ChainView, blocks: readonly HashedHeader[]): BlobHistory | undefined {
  const next = followingBlobFee(chain, blocks.at(-1)!)
  if (next === undefined) return undefined
  const usedRatio = ({ header }: HashedHeader) => {
    const max = gasPerBlob * BigInt(chain.rulesOf(header).blobs?.max ?? 0)
    return max === 0n ? 0 : Number(header.blobGasUsed ?? 0n) / Number(max)
  }
  return {
    baseFees: [...blocks.map(({ header }) => blobBaseFeeOf(header, chain.rulesOf(header))), next],
    gasUsedRatios: blocks.map(usedRatio),
  }
}

export const eth_feeHistory = method({
  name: 'eth_feeHistory',
  doc: 'Returns base fees and gas used ratios of a range of blocks, from Prague on also those of blobs, and priority fees at the given percentiles of gas used.',
  needs: ['chain'],
  params: [
    param('blockCount', blockCount),
    param('newestBlock', blockNumber),
    optionalParam('percentiles', listDecoder(percentile)),
  ],
  result: feeHistoryObject,
  example: ['0x5', 'latest', [20, 50]],
  // Priority fees are those of all transactions.
  alike: ([count, , percentiles]) => `${magnitudeOf(Number(count))} ${percentiles ? 'rewards' : ''}`,
  handler({ chain }, [count, newest, percentiles]) {
    const last = newestOf(chain, newest)
    const oldestBlock = last + 1n > count ? last + 1n - count : 0n
    const blocks: HashedHeader[] = []
    for (let n = oldestBlock; n <= last; n++) blocks.push(chain.headerAt(n)!)
    const sorted = percentiles && [...percentiles].sort((a, b) => a - b)
    return {
      oldestBlock,
      baseFees: [...blocks.map(({ header }) => header.baseFee ?? 0n), followingBaseFee(chain, blocks.at(-1)!)],
      gasUsedRatios: blocks.map(({ header }) => Number(header.gasUsed) / Number(header.gasLimit)),
      rewards: sorted && blocks.map((block) => rewardsOf(chain, block, sorted)),
      blobs: blobHistoryOf(chain, blocks),
    }
  },
})
