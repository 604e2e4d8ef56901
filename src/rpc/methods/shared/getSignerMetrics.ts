import type { ChainView } from '../../../chain/view.ts'
import { type Address, keyOf } from '../../../primitives/bytes.ts'
import { numberOf } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber, type BlockNumberRef } from '../../codecs/blockRef.ts'
import { address } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import type { AuthorityPort } from '../../protocol/context.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { type ErrorDoc, type Method, method, optionalParam } from '../../protocol/method.ts'

/** Blocks proposed by one account in a range. */
interface SignerMetrics {
  readonly address: Address
  proposedBlockCount: bigint
  lastProposedBlockNumber: bigint
}

const signerMetrics = record<SignerMetrics>('signer metrics', (member) => [
  member('address', address, (one) => one.address),
  member('proposedBlockCount', quantity, (one) => one.proposedBlockCount),
  member('lastProposedBlockNumber', quantity, (one) => one.lastProposedBlockNumber),
])

const defaultRange = 100n

/** First block and end (exclusive): the last 100 blocks without parameters; the head counts only without an end. */
function rangeOf(chain: ChainView, from: BlockNumberRef | undefined, to: BlockNumberRef | undefined): [bigint, bigint] {
  const head = chain.head.header.number
  const wanted = to && numberOf(chain, to)
  // A given end is exclusive, as in Besu, and at most the head.
  const end = wanted === undefined ? head + 1n : wanted > head ? head : wanted
  const start = from ? numberOf(chain, from) : end > defaultRange ? end - defaultRange : 0n
  if (start < 0n || start >= end) throw invalidParams()
  return [start, end]
}

function countBlocks(authority: AuthorityPort, chain: ChainView, start: bigint, end: bigint): SignerMetrics[] {
  const found = new Map<string, SignerMetrics>()
  const entry = (of: Address): SignerMetrics => {
    let metrics = found.get(keyOf(of))
    if (!metrics) {
      metrics = { address: of, proposedBlockCount: 0n, lastProposedBlockNumber: 0n }
      found.set(keyOf(of), metrics)
    }
    return metrics
  }
  for (let number = start; number < end; number++) {
    const metrics = entry(authority.signerOf(chain.headerAt(number)!.header))
    metrics.proposedBlockCount++
    metrics.lastProposedBlockNumber = number
  }
  for (const validator of authority.validatorsAfter(chain.headerAt(end - 1n)!, chain)) entry(validator)
  return [...found.values()]
}

const errors: readonly ErrorDoc[] = [
  [-32602, 'The range is empty.'],
  [-39001, 'The safe or finalized block is unknown.'],
]

/** Declares `getSignerMetrics` in a namespace. */
export function getSignerMetrics(namespace: 'clique' | 'ibft' | 'qbft'): Method {
  return method({
    name: `${namespace}_getSignerMetrics`,
    doc: 'Returns the number of blocks proposed by each validator in a range (the end is exclusive). Without parameters the range is the last 100 blocks, without an end it goes up to the head.',
    needs: ['chain', namespace],
    params: [optionalParam('fromBlock', anyBlockNumber), optionalParam('toBlock', anyBlockNumber)],
    result: listEncoder(signerMetrics),
    errors,
    example: ['0x0'],
    handler: (context, [from, to]) => {
      const { chain, [namespace]: authority } = context
      return countBlocks(authority, chain, ...rangeOf(chain, from, to))
    },
  })
}
