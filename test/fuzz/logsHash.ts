import type { Hash32 } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp } from '../../src/primitives/rlp.ts'
import type { Log } from '../../src/types/log.ts'

/** Digest of a transaction's logs as state tests give it. */
export function logsHash(logs: readonly Log[]): Hash32 {
  return keccak256(encodeRlp(logs.map(({ address, topics, data }) => [address, topics, data])))
}
