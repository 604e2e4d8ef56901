import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { Withdrawal } from '../types/withdrawal.ts'

/** What a call, or a simulated block, takes to be different about its block. */
export interface BlockOverrides {
  readonly number?: bigint | undefined
  readonly time?: bigint | undefined
  readonly gasLimit?: bigint | undefined
  readonly difficulty?: bigint | undefined
  readonly feeRecipient?: Address | undefined
  readonly prevRandao?: Hash32 | undefined
  readonly baseFee?: bigint | undefined
  readonly blobBaseFee?: bigint | undefined
  /** Of simulated blocks only. */
  readonly beaconRoot?: Hash32 | undefined
  /** Of simulated blocks only. */
  readonly withdrawals?: readonly Withdrawal[] | undefined
}

/** Overrides of a block, and on top of them those that are given in others. */
export function joinOverrides(base: BlockOverrides, others: BlockOverrides = {}): BlockOverrides {
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  return { ...base, ...Object.fromEntries(given) }
}

/** The header of the block that a call runs in. The blob base fee is not in it: it follows from other fields. */
export function overrideHeader(header: Header, overrides: BlockOverrides): Header {
  return {
    ...header,
    number: overrides.number ?? header.number,
    timestamp: overrides.time ?? header.timestamp,
    gasLimit: overrides.gasLimit ?? header.gasLimit,
    difficulty: overrides.difficulty ?? header.difficulty,
    beneficiary: overrides.feeRecipient ?? header.beneficiary,
    mixHash: overrides.prevRandao ?? header.mixHash,
    baseFee: overrides.baseFee ?? header.baseFee,
  }
}
