import type { Address, Hash32 } from '../primitives/bytes.ts'

/** An event of a contract, written by LOG0 … LOG4. */
export interface Log {
  readonly address: Address
  readonly topics: readonly Hash32[]
  readonly data: Uint8Array
}
