import { type Abi, decodeEventLog, type Hex } from 'viem'
import { type Decoded, pairValues } from './decoded.ts'

/** What of a log decides its meaning. */
export interface RawLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** Finds the event of a log in one of the ABIs, undefined if none fits. */
export function decodeLog({ topics, data }: RawLog, abis: readonly Abi[]): Decoded | undefined {
  if (topics.length === 0) return undefined
  for (const abi of abis)
    for (const item of abi) {
      if (item.type !== 'event') continue
      try {
        const { args } = decodeEventLog({ abi: [item], topics: topics as [Hex, ...Hex[]], data, strict: true })
        return { name: item.name, values: pairValues(item.inputs, args) }
      } catch {
        // Another event may fit: ERC-20 and ERC-721 have the same topic of Transfer.
      }
    }
  return undefined
}
