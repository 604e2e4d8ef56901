import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { emptyOmmersHash, type Header } from '../types/header.ts'
import { effectiveParentGasLimit, nextBaseFee } from './baseFee.ts'
import { nextExcessBlobGas } from './blobFee.ts'
import { nextDifficulty } from './difficulty.ts'
import { BlockError, type OptionalHeaderField } from './fault.ts'
import { gasPerBlob } from './intrinsicGas.ts'

const minGasLimit = 5000n
const maxGasLimit = (1n << 63n) - 1n
const gasLimitBound = 1024n
const maxExtraData = 32
const daoExtraData = new TextEncoder().encode('dao-hard-fork')
const daoExtraRange = 10n

/** Where a consensus engine departs from the public network. */
export interface HeaderOptions {
  /** Seconds that must lie between a block and its parent. */
  readonly period?: bigint
  /** The base fee is the proposer's word: Besu's BFT engines do not compute it again. */
  readonly anyBaseFee?: boolean
}

/** What every consensus engine demands of a header, given its parent. */
export function validateHeaderCommon(
  header: Header,
  parent: Header,
  spec: ChainSpec,
  rules: Rules,
  { period, anyBaseFee = false }: HeaderOptions = {},
): void {
  if (header.number !== parent.number + 1n)
    throw new BlockError({ code: 'NUMBER_NOT_NEXT', have: header.number, want: parent.number + 1n })
  checkTimestamp(header, parent, period)
  checkFields(header, rules, spec)
  checkGas(header, parent, rules)
  // With a base fee fixed at zero Besu takes any value, so that a chain can switch to it. A fixed one is each proposer's own setting.
  if (rules.baseFee && !spec.zeroBaseFee && !spec.fixedBaseFee && !anyBaseFee) {
    const want = nextBaseFee(parent, spec)
    if (header.baseFee !== want) throw new BlockError({ code: 'BASE_FEE_MISMATCH', have: header.baseFee!, want })
  }
  if (rules.blobs && header.blobGasUsed !== undefined) checkBlobGas(header, parent, rules)
}

/** Full check of a header on a chain of proof of work or after the merge. Its seal is checked apart. */
export function validateHeader(header: Header, parent: Header, spec: ChainSpec, options?: HeaderOptions): Rules {
  const rules = spec.rulesAt(header)
  validateHeaderCommon(header, parent, spec, rules, options)
  if (header.extraData.length > maxExtraData)
    throw new BlockError({ code: 'EXTRA_DATA_TOO_LONG', have: header.extraData.length, limit: maxExtraData })
  checkDao(header, spec)
  if (rules.proofOfStake) checkAfterMerge(header)
  else checkDifficulty(header, parent, spec, rules)
  return rules
}

function checkTimestamp({ timestamp }: Header, parent: Header, period: bigint | undefined): void {
  if (period === undefined && timestamp <= parent.timestamp)
    throw new BlockError({ code: 'TIMESTAMP_NOT_LATER', have: timestamp, parent: parent.timestamp })
  const want = parent.timestamp + (period ?? 0n)
  if (timestamp < want) throw new BlockError({ code: 'BLOCK_PERIOD_NOT_OVER', have: timestamp, want })
}

/**
 * Besu checks none of these fields on IBFT 2.0 and QBFT before Prague. Up to 25.12 its headers end before the withdrawals, or before the
 * blob fields with a base fee of zero, or before the beacon root.
 */
function mayEndEarly({ consensus }: ChainSpec, { requests }: Rules): boolean {
  const isBft = consensus.kind === 'ibft2' || consensus.kind === 'qbft'
  return !requests && (isBft || (consensus.kind === 'clique' && consensus.successor !== undefined))
}

function checkFields(header: Header, rules: Rules, spec: ChainSpec): void {
  const early = mayEndEarly(spec, rules)
  const hasBlobs = rules.blobs !== undefined && (header.excessBlobGas !== undefined || !early)
  const wanted: Record<OptionalHeaderField, boolean> = {
    baseFee: rules.baseFee,
    withdrawalsRoot: rules.withdrawals && (header.withdrawalsRoot !== undefined || !early),
    blobGasUsed: hasBlobs,
    excessBlobGas: hasBlobs,
    parentBeaconRoot: rules.beaconRoot && (header.parentBeaconRoot !== undefined || !early),
    requestsHash: rules.requests,
  }
  for (const field of Object.keys(wanted) as OptionalHeaderField[]) {
    const present = header[field] !== undefined
    if (wanted[field] && !present) throw new BlockError({ code: 'FIELD_MISSING', field })
    if (!wanted[field] && present) throw new BlockError({ code: 'FIELD_NOT_ALLOWED', field })
  }
}

function checkGas(header: Header, parent: Header, rules: Rules): void {
  const limit = header.gasLimit
  const before = effectiveParentGasLimit(parent, rules.baseFee)
  const distance = limit > before ? limit - before : before - limit
  if (limit < minGasLimit || limit > maxGasLimit || distance >= before / gasLimitBound)
    throw new BlockError({ code: 'GAS_LIMIT_OUT_OF_BOUNDS', have: limit, parent: before })
  if (header.gasUsed > limit) throw new BlockError({ code: 'GAS_USED_EXCEEDS_LIMIT', used: header.gasUsed, limit })
}

function checkBlobGas(header: Header, parent: Header, rules: Rules): void {
  const used = header.blobGasUsed!
  const limit = gasPerBlob * BigInt(rules.blobs!.max)
  if (used > limit) throw new BlockError({ code: 'BLOB_GAS_EXCEEDS_LIMIT', have: used, limit })
  if (used % gasPerBlob !== 0n) throw new BlockError({ code: 'BLOB_GAS_NOT_A_MULTIPLE', have: used })
  const want = nextExcessBlobGas(parent, rules)
  if (header.excessBlobGas !== want)
    throw new BlockError({ code: 'EXCESS_BLOB_GAS_MISMATCH', have: header.excessBlobGas!, want })
}

function checkAfterMerge(header: Header): void {
  if (header.difficulty !== 0n) throw new BlockError({ code: 'PROOF_OF_WORK_AFTER_MERGE' })
  if (!equalBytes(header.ommersHash, emptyOmmersHash)) throw new BlockError({ code: 'OMMERS_NOT_ALLOWED' })
  if (header.nonce.some((byte) => byte !== 0)) throw new BlockError({ code: 'NONCE_NOT_ZERO' })
}

function checkDifficulty(header: Header, parent: Header, spec: ChainSpec, rules: Rules): void {
  const fixed = spec.consensus.kind === 'ethash' ? spec.consensus.fixedDifficulty : undefined
  const want = fixed ?? nextDifficulty(parent, header.timestamp, rules)
  if (header.difficulty !== want) throw new BlockError({ code: 'DIFFICULTY_MISMATCH', have: header.difficulty, want })
}

/** Both sides of the DAO fork marked their first blocks; ours is the side that forked. */
function checkDao(header: Header, spec: ChainSpec): void {
  const start = spec.activations.find(({ fork }) => fork === 'dao')?.at
  if (start === undefined || header.number < start || header.number >= start + daoExtraRange) return
  if (!equalBytes(header.extraData, daoExtraData)) throw new BlockError({ code: 'DAO_EXTRA_DATA' })
}
