import type { HashedHeader } from '../../chain/view.ts'
import { effectiveParentGasLimit, nextBaseFee } from '../../execution/baseFee.ts'
import { nextExcessBlobGas } from '../../execution/blobFee.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { type Address, type Hash32, zeroHash } from '../../primitives/bytes.ts'
import { blankHeader, type Header } from '../../types/header.ts'

/** What the producer decides about a block's header. */
export interface BlockPlan {
  readonly timestamp: bigint
  readonly beneficiary: Address
  readonly extraData: Uint8Array
  readonly difficulty: bigint
  /** Target gas limit; undefined keeps the parent's. */
  readonly targetGasLimit: bigint | undefined
  readonly mixHash?: Hash32
  /** Base fee of a network that does not compute it; undefined computes it. */
  readonly baseFee?: bigint
}

const maxStep = 1024n

/** The parent's gas limit, moved towards the target as far as the header rules allow. */
export function nextGasLimit(parentLimit: bigint, target: bigint | undefined): bigint {
  if (target === undefined || target === parentLimit) return parentLimit
  const bound = parentLimit / 1024n - 1n
  const max = bound < 0n ? 0n : bound < maxStep ? bound : maxStep
  if (target > parentLimit) return target - parentLimit < max ? target : parentLimit + max
  return parentLimit - target < max ? target : parentLimit - max
}

/** The header of the next block, as far as it is known before its transactions are executed. */
export function draftHeader(parent: HashedHeader, plan: BlockPlan, spec: ChainSpec): Header {
  const number = parent.header.number + 1n
  const { timestamp, beneficiary, extraData, difficulty } = plan
  const rules = spec.rulesAt({ number, timestamp, difficulty })
  return {
    ...blankHeader,
    parentHash: parent.hash,
    number,
    timestamp,
    beneficiary,
    extraData,
    difficulty,
    mixHash: plan.mixHash ?? zeroHash,
    gasLimit: nextGasLimit(effectiveParentGasLimit(parent.header, rules.baseFee), plan.targetGasLimit),
    baseFee: rules.baseFee ? (plan.baseFee ?? nextBaseFee(parent.header, spec)) : undefined,
    excessBlobGas: rules.blobs ? nextExcessBlobGas(parent.header, rules) : undefined,
    parentBeaconRoot: rules.beaconRoot ? zeroHash : undefined,
  }
}
