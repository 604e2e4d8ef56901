import type { Producer } from '../../consensus/producing/producer.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'
import type { MiningPort } from '../../rpc/protocol/context.ts'
import type { MiningSettingsHolder } from './miningSettings.ts'

/** What decides how the MINER methods work on a network. */
interface MiningNetwork {
  readonly engine: ChainSpec['consensus']['kind']
  readonly isDev: boolean
  /** The address of the node's key. */
  readonly ownAddress: Address
}

/** The producer as the MINER methods see it; the coinbase can be set only on the development network. */
export function miningPortOf(
  producer: Producer | undefined,
  settings: MiningSettingsHolder,
  { engine, isDev, ownAddress }: MiningNetwork,
): MiningPort {
  // As in Besu, validators and signers without `--miner-coinbase` show themselves; fees of the development network go to nobody.
  const usualCoinbase = isDev ? zeroAddress : engine === 'ethash' || engine === 'none' ? undefined : ownAddress
  return {
    ...controlOf(producer, engine),
    coinbase: () => settings.coinbase ?? usualCoinbase,
    ...(isDev && { setCoinbase: settings.setCoinbase }),
    minGasPrice: () => settings.get().minGasPrice,
    setMinGasPrice: settings.setMinGasPrice,
    minPriorityFee: () => settings.get().minPriorityFee,
    setMinPriorityFee: settings.setMinPriorityFee,
    extraData: () => settings.get().extraData,
    setExtraData: settings.setExtraData,
    setTargetGasLimit: settings.setTargetGasLimit,
  }
}

/** How production starts and stops, with the answers of Besu: a BFT node is always on, and a Clique signer says no when it stops. */
function controlOf(
  producer: Producer | undefined,
  engine: MiningNetwork['engine'],
): Pick<MiningPort, 'isMining' | 'start' | 'stop'> {
  if (engine === 'ibft2' || engine === 'qbft') return { isMining: () => true, start: () => true, stop: () => false }
  return {
    isMining: () => producer?.isRunning() ?? false,
    start() {
      producer?.start()
      return producer !== undefined
    },
    stop() {
      producer?.stop()
      return producer !== undefined && engine !== 'clique'
    },
  }
}
