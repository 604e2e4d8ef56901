import type { Config } from '../../config/options.ts'
import type { ProducerSettings } from '../../consensus/producing/blockBuilder.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'

const minGasLimit = 5000n
const maxGasLimit = (1n << 63n) - 1n

/** The operator's settings for blocks that this node makes; the MINER methods change them while it runs. */
export interface MiningSettingsHolder {
  readonly coinbase: Address | undefined
  get(): ProducerSettings
  setCoinbase(address: Address): void
  setMinGasPrice(wei: bigint): void
  setMinPriorityFee(wei: bigint): void
  setExtraData(data: Uint8Array): void
  /** Returns false if no block may have that gas limit. */
  setTargetGasLimit(gas: bigint): boolean
}

export function createMiningSettings(config: Config): MiningSettingsHolder {
  let coinbase = config['miner-coinbase']
  let terms = {
    extraData: config['miner-extra-data'],
    minGasPrice: config['min-gas-price'],
    minPriorityFee: config['min-priority-fee'],
    minOccupancy: config['min-block-occupancy-ratio'],
    maxBlobs: config['max-blobs-per-block'],
    targetGasLimit: config['target-gas-limit'] === undefined ? undefined : BigInt(config['target-gas-limit']),
  }
  return {
    get coinbase() {
      return coinbase
    },
    get: () => ({ ...terms, beneficiary: coinbase ?? zeroAddress }),
    setCoinbase(address) {
      coinbase = address
    },
    setMinGasPrice(minGasPrice) {
      terms = { ...terms, minGasPrice }
    },
    setMinPriorityFee(minPriorityFee) {
      terms = { ...terms, minPriorityFee }
    },
    setExtraData(extraData) {
      terms = { ...terms, extraData }
    },
    setTargetGasLimit(targetGasLimit) {
      if (targetGasLimit < minGasLimit || targetGasLimit > maxGasLimit) return false
      terms = { ...terms, targetGasLimit }
      return true
    },
  }
}
