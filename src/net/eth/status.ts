import type { ChainView } from '../../chain/view.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { acceptsForkId, type ForkId, type ForkIdHead, forkIdAt } from '../../forks/forkId.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { encodeRlp, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { forkIdItem, readForkId } from './forkEntry.ts'
import { decodeSparse } from './rlpParts.ts'

/** The Status message of the eth handshake. */
export interface Status {
  readonly version: number
  readonly networkId: bigint
  readonly totalDifficulty: bigint
  readonly bestHash: Hash32
  readonly genesisHash: Hash32
  readonly forkId: ForkId
}

export function encodeStatus(status: Status): Uint8Array {
  const { version, networkId, totalDifficulty, bestHash, genesisHash, forkId } = status
  return encodeRlp([
    scalar(version),
    scalar(networkId),
    scalar(totalDifficulty),
    bestHash,
    genesisHash,
    forkIdItem(forkId),
  ])
}

export function decodeStatus(payload: Uint8Array): Status {
  const [version, networkId, totalDifficulty, bestHash, genesisHash, forkId] = rlpList(decodeSparse(payload), 6)
  return {
    version: Number(rlpScalar(version, 32)),
    networkId: rlpScalar(networkId),
    totalDifficulty: rlpScalar(totalDifficulty),
    bestHash: rlpBytes(bestHash, 32).slice() as Hash32,
    genesisHash: rlpBytes(genesisHash, 32).slice() as Hash32,
    forkId: readForkId(forkId),
  }
}

/** The network that a node belongs to. */
export interface ChainIdentity {
  readonly spec: ChainSpec
  readonly networkId: bigint
  readonly genesisHash: Hash32
}

/** This node's Status at the head of a view. */
export function statusAt(view: ChainView, { spec, networkId, genesisHash }: ChainIdentity, version: number): Status {
  const { header, hash } = view.head
  const totalDifficulty = view.totalDifficulty(hash)!
  return {
    version,
    networkId,
    totalDifficulty,
    bestHash: hash,
    genesisHash,
    forkId: forkIdAt(spec, genesisHash, header),
  }
}

/** The fault of a peer that is on this network, but on other forks of it. */
export const otherForks = 'incompatible fork id'

/** Returns why a peer with this Status is incompatible; undefined if it is compatible. */
export function findStatusFault(
  remote: Status,
  { spec, networkId, genesisHash }: ChainIdentity,
  version: number,
  head: ForkIdHead,
): string | undefined {
  if (remote.version !== version) return `eth version ${remote.version}, negotiated ${version}`
  if (remote.networkId !== networkId) return `network id ${remote.networkId}, ours is ${networkId}`
  if (!equalBytes(remote.genesisHash, genesisHash)) return 'different genesis block'
  if (!acceptsForkId(spec, genesisHash, head, remote.forkId)) return otherForks
  return undefined
}
