import type { HashedHeader } from '../../chain/view.ts'
import { type Header, headerHash } from '../../types/header.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'

/** What the producer of a block earned. */
export interface MinerData extends HashedHeader {
  readonly staticReward: bigint
  readonly transactionFee: bigint
  readonly uncleInclusionReward: bigint
  readonly ommers: readonly Header[]
  readonly totalDifficulty: bigint
}

const uncleReward = record<Header>('uncle reward', (member) => [
  member('hash', hash, headerHash),
  member('coinbase', address, ({ beneficiary }) => beneficiary),
])

/** Amounts are quantities; Besu pads them to 32 bytes. */
export const minerDataObject = record<MinerData>('miner data', (member) => [
  member(
    'netBlockReward',
    quantity,
    ({ staticReward, transactionFee, uncleInclusionReward }) => staticReward + transactionFee + uncleInclusionReward,
  ),
  member('staticBlockReward', quantity, ({ staticReward }) => staticReward),
  member('transactionFee', quantity, ({ transactionFee }) => transactionFee),
  member('uncleInclusionReward', quantity, ({ uncleInclusionReward }) => uncleInclusionReward),
  member('uncleRewards', listEncoder(uncleReward), ({ ommers }) => ommers),
  member('coinbase', address, ({ header }) => header.beneficiary),
  member('extraData', data, ({ header }) => header.extraData),
  member('difficulty', quantity, ({ header }) => header.difficulty),
  member('totalDifficulty', quantity, ({ totalDifficulty }) => totalDifficulty),
])
