import type { ChainSpec } from '../forks/chainSpec.ts'
import { GenesisError } from '../forks/fault.ts'
import { toHex } from '../primitives/hex.ts'
import { RlpError } from '../primitives/rlp.ts'
import { ExtraDataError } from './fault.ts'

/**
 * Throws if the genesis extra data is not in the layout of the network's consensus. It may name nobody, as in Besu: the report on a
 * chain that makes no block says so.
 */
export function checkGenesisExtraData({ genesis, consensus }: ChainSpec, decode: (bytes: Uint8Array) => unknown): void {
  try {
    decode(genesis.extraData)
  } catch (error) {
    if (!(error instanceof RlpError) && !(error instanceof ExtraDataError)) throw error
    const have = toHex(genesis.extraData)
    throw new GenesisError(
      { code: 'GENESIS_INVALID_VALUE', key: 'extraData', have, want: `extra data of ${consensus.kind}` },
      error,
    )
  }
}
