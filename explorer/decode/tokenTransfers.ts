import type { Hex } from 'viem'
import { decodeLog, type RawLog } from './decodeLog.ts'
import { erc20, erc721, erc1155 } from './knownAbis.ts'

/** One movement of a token: an amount (ERC-20), an item (ERC-721), or an amount of an item (ERC-1155). */
export interface TokenTransfer {
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  readonly token: Hex
  readonly from: Hex
  readonly to: Hex
  readonly id?: bigint
  readonly amount?: bigint
}

/** Movements of tokens in a transaction's logs. */
export function findTokenTransfers(logs: readonly RawLog[]): readonly TokenTransfer[] {
  return logs.flatMap(transfersOf)
}

function transfersOf(log: RawLog): readonly TokenTransfer[] {
  const event = decodeLog(log, [erc20, erc721, erc1155])
  if (!event) return []
  const value = <T>(name: string) => event.values.find((one) => one.name === name)?.value as T
  const ends = { token: log.address, from: value<Hex>('from'), to: value<Hex>('to') }
  switch (event.name) {
    case 'Transfer':
      return log.topics.length === 4
        ? [{ standard: 'ERC-721', ...ends, id: value<bigint>('tokenId') }]
        : [{ standard: 'ERC-20', ...ends, amount: value<bigint>('value') }]
    case 'TransferSingle':
      return [{ standard: 'ERC-1155', ...ends, id: value<bigint>('id'), amount: value<bigint>('value') }]
    case 'TransferBatch': {
      const amounts = value<readonly bigint[]>('values')
      return value<readonly bigint[]>('ids').map((id, i) => ({
        standard: 'ERC-1155',
        ...ends,
        id,
        amount: amounts[i] ?? 0n,
      }))
    }
    default:
      return []
  }
}
