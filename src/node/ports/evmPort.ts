import type { ConsensusEngine } from '../../chain/engine.ts'
import { createEvm } from '../../evm/evm.ts'
import type { EvmPort } from '../../rpc/protocol/context.ts'

/** Interpreters of their own for calls and traces, with the rewards of the network's consensus. */
export function createEvmPort({ beneficiary, reward }: ConsensusEngine): EvmPort {
  return { fast: createEvm('fast'), trace: createEvm('trace'), beneficiaryOf: beneficiary, rewardOf: reward }
}
