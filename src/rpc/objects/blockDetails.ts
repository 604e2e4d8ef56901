import type { HashedHeader } from '../../chain/view.ts'
import { minerDataOf } from '../blocks/minerData.ts'
import { showBlock } from '../blocks/showBlock.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import type { RpcContext } from '../protocol/context.ts'
import type { ShownBlock } from './block.ts'
import { slimMembers } from './slimBlock.ts'

/** A block, and what it paid. */
interface BlockDetails {
  readonly block: ShownBlock
  readonly reward: bigint
  readonly uncleReward: bigint
  /** What its transactions paid, the base fee included. */
  readonly fees: bigint
}

const issuanceObject = record<BlockDetails>('issuance', (member) => [
  member('blockReward', quantity, ({ reward }) => reward),
  member('uncleReward', quantity, ({ uncleReward }) => uncleReward),
  member('issuance', quantity, ({ reward, uncleReward }) => reward + uncleReward),
])

export const blockDetailsObject = record<BlockDetails>('blockDetails', (member) => [
  member(
    'block',
    record<ShownBlock>('block', () => slimMembers),
    ({ block }) => block,
  ),
  member('issuance', issuanceObject, (details) => details),
  member('totalFees', quantity, ({ fees }) => fees),
])

/** The details of a block; undefined if it is unknown. */
export function blockDetailsOf(
  ports: Pick<RpcContext, 'chain' | 'evms'>,
  found: HashedHeader | undefined,
): BlockDetails | undefined {
  const block = found && showBlock(ports.chain, found.hash, false)
  const paid = found && minerDataOf(ports, found.hash)
  if (!block || !paid) return undefined
  const { staticReward, uncleInclusionReward, transactionFee: fees } = paid
  let uncleReward = 0n
  for (const { number } of block.block.ommers) uncleReward += (staticReward * (8n + number - block.header.number)) / 8n
  return { block, reward: staticReward + uncleInclusionReward, uncleReward, fees }
}
