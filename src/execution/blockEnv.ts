import type { BlockEnv } from '../evm/message.ts'
import type { Rules } from '../forks/rules.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import { blobBaseFeeOf } from './blobFee.ts'

/** What contracts see of a block. `beneficiary` differs from the header's field on some engines. */
export function blockEnvOf(
  header: Header,
  rules: Rules,
  chainId: bigint,
  beneficiary: Address = header.beneficiary,
): BlockEnv {
  return {
    number: header.number,
    timestamp: header.timestamp,
    beneficiary,
    gasLimit: header.gasLimit,
    difficulty: header.difficulty,
    prevRandao: header.mixHash,
    baseFee: header.baseFee ?? 0n,
    blobBaseFee: blobBaseFeeOf(header, rules),
    chainId,
  }
}
