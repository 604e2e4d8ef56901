import { BlockError } from '../../execution/fault.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import type { Clock } from '../../system/clock.ts'
import { emptyOmmersHash, type Header } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { createBftEngine } from '../bft/bftEngine.ts'
import { checkGenesisExtraData } from '../checkGenesisExtraData.ts'
import { ibft2Codec } from './ibft2Codec.ts'

export interface Ibft2EngineOptions {
  readonly spec: ChainSpec
  readonly config: BftConfig
  readonly clock: Clock
}

function checkForm(header: Header): void {
  if (!equalBytes(header.ommersHash, emptyOmmersHash)) throw new BlockError({ code: 'OMMERS_NOT_ALLOWED' })
  if (header.nonce.some((byte) => byte !== 0)) throw new BlockError({ code: 'NONCE_NOT_ZERO' })
}

/** IBFT 2.0, the older of Besu's two BFT protocols. */
export function createIbft2Engine(options: Ibft2EngineOptions): AuthorityEngine {
  checkGenesisExtraData(options.spec, ibft2Codec.decode)
  return createBftEngine({ ...options, codec: ibft2Codec, checkForm })
}
