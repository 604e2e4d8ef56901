import { sha256 } from '@noble/hashes/sha2.js'
import { type Hash32, zeroHash } from '../primitives/bytes.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { blankHeader, type Header } from '../types/header.ts'
import type { ChainSpec } from './chainSpec.ts'
import { since } from './rules.ts'

/** Base fee of the first block with a fee market, unless the genesis file sets another. */
export const initialBaseFee = 1_000_000_000n

/** Hash of the empty list of execution requests (EIP-7685). */
export const emptyRequestsHash = sha256(new Uint8Array(0)) as Hash32

/** The header of block 0, given the root of the allocated state. */
export function genesisHeader({ genesis, rulesAt }: ChainSpec, stateRoot: Hash32): Header {
  const rules = rulesAt({ number: 0n, timestamp: genesis.timestamp, difficulty: genesis.difficulty })
  const cancun = since(rules, 'cancun')
  return {
    ...blankHeader,
    parentHash: genesis.parentHash,
    beneficiary: genesis.beneficiary,
    stateRoot,
    difficulty: genesis.difficulty,
    gasLimit: genesis.gasLimit,
    timestamp: genesis.timestamp,
    extraData: genesis.extraData,
    mixHash: genesis.mixHash,
    nonce: genesis.nonce,
    // A base fee in the file counts even before the fee market begins, as in Besu and geth. `zeroBaseFee` is about the blocks after this one.
    baseFee: genesis.baseFee ?? (rules.baseFee ? initialBaseFee : undefined),
    withdrawalsRoot: since(rules, 'shanghai') ? emptyTrieRoot : undefined,
    blobGasUsed: cancun ? (genesis.blobGasUsed ?? 0n) : undefined,
    excessBlobGas: cancun ? (genesis.excessBlobGas ?? 0n) : undefined,
    parentBeaconRoot: cancun ? (genesis.parentBeaconRoot ?? zeroHash) : undefined,
    requestsHash: since(rules, 'prague') ? emptyRequestsHash : undefined,
  }
}
