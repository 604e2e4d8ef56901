import type { Address, Hash32 } from '../primitives/bytes.ts'

/** What LOG0 … LOG4 leave behind. */
export interface Log {
  readonly address: Address
  readonly topics: readonly Hash32[]
  readonly data: Uint8Array
}
