import type { ChainSpec } from '../../forks/chainSpec.ts'
import { type ForkId, type ForkIdHead, isForkIdOf } from '../../forks/forkId.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { RlpError, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import type { NodeRecord } from '../enr.ts'

/** The entry `eth` of a node record (EIP-2364), which contains the fork ID. */
export function encodeForkEntry(forkId: ForkId): RlpItem {
  return [forkIdItem(forkId)]
}

/** A fork ID as RLP, as in Status and node records. */
export function forkIdItem({ hash, next }: ForkId): RlpItem {
  return [bigIntToFixed(BigInt(hash), 4), scalar(next)]
}

export function readForkId(item: RlpItem | undefined): ForkId {
  const [hash, next] = rlpList(item, 2)
  return { hash: Number(bytesToBigInt(rlpBytes(hash, 4))), next: rlpScalar(next, 64) }
}

/**
 * Whether a node's record is compatible with this chain. Records without the entry `eth` are accepted, because not
 * every client writes it.
 */
export function isOfChain({ entries }: NodeRecord, spec: ChainSpec, genesisHash: Hash32, head: ForkIdHead): boolean {
  const entry = entries.get('eth')
  if (entry === undefined) return true
  try {
    return isForkIdOf(spec, genesisHash, head, readForkId(rlpList(entry)[0]))
  } catch (error) {
    if (error instanceof RlpError) return false
    throw error
  }
}
