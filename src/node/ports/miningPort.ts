import type { Producer } from '../../consensus/producing/producer.ts'
import type { MiningPort } from '../../rpc/protocol/context.ts'
import type { MiningTermsHolder } from './miningTerms.ts'

/** What the MINER group may see and change; only a producer without an engine lets its operator choose who is paid. */
export function miningPortOf(
  producer: Producer | undefined,
  terms: MiningTermsHolder,
  operatorIsPaid: boolean,
): MiningPort {
  return {
    isMining: () => producer?.isRunning() ?? false,
    start() {
      producer?.start()
      return producer !== undefined
    },
    stop() {
      producer?.stop()
      return producer !== undefined
    },
    coinbase: () => terms.coinbase,
    ...(operatorIsPaid && { setCoinbase: terms.setCoinbase }),
    minGasPrice: () => terms.get().minGasPrice,
    setMinGasPrice: terms.setMinGasPrice,
    minPriorityFee: () => terms.get().minPriorityFee,
    setMinPriorityFee: terms.setMinPriorityFee,
    setTargetGasLimit: terms.setTargetGasLimit,
  }
}
