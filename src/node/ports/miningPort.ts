import type { Producer } from '../../consensus/producing/producer.ts'
import type { MiningPort } from '../../rpc/protocol/context.ts'
import type { MiningSettingsHolder } from './miningSettings.ts'

/** The producer as the MINER methods see it; the coinbase can be set only on the development network (`operatorIsPaid`). */
export function miningPortOf(
  producer: Producer | undefined,
  settings: MiningSettingsHolder,
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
    coinbase: () => settings.coinbase,
    ...(operatorIsPaid && { setCoinbase: settings.setCoinbase }),
    minGasPrice: () => settings.get().minGasPrice,
    setMinGasPrice: settings.setMinGasPrice,
    minPriorityFee: () => settings.get().minPriorityFee,
    setMinPriorityFee: settings.setMinPriorityFee,
    setTargetGasLimit: settings.setTargetGasLimit,
  }
}
