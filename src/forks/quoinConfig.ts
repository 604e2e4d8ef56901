import type { GenesisFile } from './genesisFile.ts'
import { numberMember, objectMember } from './jsonObject.ts'

/**
 * The block from which on private transactions run as the EVM is known, where every member of every group runs Quoin;
 * undefined: as Besu runs them.
 */
export function standardPrivateBlockOf({ config }: GenesisFile): bigint | undefined {
  const own = objectMember(config, 'quoin')
  return own && numberMember(own, 'exactPrivateExecutionBlock', 64)
}
