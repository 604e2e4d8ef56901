import type { ChainView, HashedHeader } from '../../../chain/view.ts'
import { StateError } from '../../../state/fault.ts'
import { boolean } from '../../codecs/boolean.ts'
import { hash } from '../../codecs/bytes.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

/** Of which blocks the node has a kind of data. */
interface Resource {
  readonly oldestBlock: bigint
  /** Blocks that it is kept for; undefined if it is never deleted. */
  readonly retentionBlocks: bigint | undefined
}

interface Capabilities {
  readonly head: HashedHeader
  readonly state: Resource
  readonly rest: Resource
}

const headObject = record<HashedHeader>('head', (member) => [
  member('number', quantity, ({ header }) => header.number),
  member('hash', hash, (head) => head.hash),
])

const strategyObject = record<bigint>('delete strategy', (member) => [
  member('type', text, () => 'window'),
  member('retentionBlocks', quantity, (blocks) => blocks),
])

const resourceObject = record<Resource>('resource', (member) => [
  member('disabled', boolean, () => false),
  member('oldestBlock', quantity, ({ oldestBlock }) => oldestBlock),
  member.optional('deleteStrategy', strategyObject, ({ retentionBlocks }) => retentionBlocks),
])

const capabilitiesObject = record<Capabilities>('capabilities', (member) => [
  member('head', headObject, ({ head }) => head),
  member('state', resourceObject, ({ state }) => state),
  member('tx', resourceObject, ({ rest }) => rest),
  member('logs', resourceObject, ({ rest }) => rest),
  member('receipts', resourceObject, ({ rest }) => rest),
  member('blocks', resourceObject, ({ rest }) => rest),
  member('stateproofs', resourceObject, ({ state }) => state),
])

/** Number of the oldest block whose state is kept. */
function oldestState(chain: ChainView): bigint {
  try {
    chain.stateAt(0n)
    return 0n
  } catch (error) {
    if (error instanceof StateError) return BigInt(error.at.floor)
    throw error
  }
}

/** Not in Besu 23.10; as ethereum/execution-apis specifies it. */
export const eth_capabilities = method({
  name: 'eth_capabilities',
  doc: 'Returns the head and, for each kind of data, the oldest block that the node has it of and whether older data is deleted. State is deleted with `--history-blocks` only, all else with `--block-history`; after snap synchronisation older blocks come later.',
  needs: ['chain', 'limits'],
  params: [],
  result: capabilitiesObject,
  handler({ chain, limits }) {
    const { historyBlocks = 0n, blockHistory = 0n } = limits
    const retained = (blocks: bigint) => (blocks > 0n ? blocks : undefined)
    return {
      head: chain.head,
      state: { oldestBlock: oldestState(chain), retentionBlocks: retained(historyBlocks) },
      rest: { oldestBlock: BigInt(chain.past?.first ?? 0), retentionBlocks: retained(blockHistory) },
    }
  },
})
