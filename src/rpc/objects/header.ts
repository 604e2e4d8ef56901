import type { HashedHeader } from '../../chain/view.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { quantity } from '../codecs/quantity.ts'
import { record, sharedMembers } from '../codecs/record.ts'

/** A header with its total difficulty. */
export interface ShownHeader extends HashedHeader {
  readonly totalDifficulty: bigint
}

// In Besu's order; the object of a block has its own members between these groups.
/** What a block is and who made it. */
export const identityMembers = sharedMembers<ShownHeader>((member) => [
  member('number', quantity, ({ header }) => header.number),
  member('hash', hash, (shown) => shown.hash),
  member('mixHash', hash, ({ header }) => header.mixHash),
  member('parentHash', hash, ({ header }) => header.parentHash),
  member('nonce', data, ({ header }) => header.nonce),
  member('sha3Uncles', hash, ({ header }) => header.ommersHash),
  member('logsBloom', data, ({ header }) => header.logsBloom),
  member('transactionsRoot', hash, ({ header }) => header.transactionsRoot),
  member('stateRoot', hash, ({ header }) => header.stateRoot),
  member('receiptsRoot', hash, ({ header }) => header.receiptsRoot),
  member('miner', address, ({ header }) => header.beneficiary),
  member('difficulty', quantity, ({ header }) => header.difficulty),
  member('totalDifficulty', quantity, ({ totalDifficulty }) => totalDifficulty),
  member('extraData', data, ({ header }) => header.extraData),
  member.optional('baseFeePerGas', quantity, ({ header }) => header.baseFee),
])

/** Gas and time of a block. */
export const gasMembers = sharedMembers<ShownHeader>((member) => [
  member('gasLimit', quantity, ({ header }) => header.gasLimit),
  member('gasUsed', quantity, ({ header }) => header.gasUsed),
  member('timestamp', quantity, ({ header }) => header.timestamp),
])

/** The root of withdrawals, from Shanghai on. */
export const withdrawalsMembers = sharedMembers<ShownHeader>((member) => [
  member.optional('withdrawalsRoot', hash, ({ header }) => header.withdrawalsRoot),
])

/** Members that Cancun and later forks added. */
export const blobMembers = sharedMembers<ShownHeader>((member) => [
  member.optional('blobGasUsed', quantity, ({ header }) => header.blobGasUsed),
  member.optional('excessBlobGas', quantity, ({ header }) => header.excessBlobGas),
  member.optional('parentBeaconBlockRoot', hash, ({ header }) => header.parentBeaconRoot),
  member.optional('requestsHash', hash, ({ header }) => header.requestsHash),
])

/** A header, as in the object of its block; members of later forks are left out. */
export const headerObject = record<ShownHeader>('header', () => [
  ...identityMembers,
  ...gasMembers,
  ...withdrawalsMembers,
  ...blobMembers,
])
