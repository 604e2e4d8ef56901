import { keyHoldingOf } from '../chainData/heldKey.ts'
import { keyPlaceOf } from '../chainData/keyPlace.ts'
import type { Config } from '../config/options.ts'
import { createLocalKey, type NodeKey } from '../keys/nodeIdentity.ts'
import { type GeneratedKey, loadOrCreateNodeKey, nodeKeyFile, readPrivateKey } from '../keys/nodeKey.ts'
import { toHex } from '../primitives/hex.ts'
import type { Loggers } from '../system/logger.ts'
import type { StopList } from './stopList.ts'

/** Makes the key of a node that has none. */
export type MakeKey = () => Promise<NodeKey>

/**
 * The key of the node: read, or asked for, before anything is written; or, where there is no file in the data path yet, how it is made.
 */
export async function openNodeKey(
  config: Config,
  dataPath: string,
  loggers: Loggers,
  stops: Pick<StopList, 'add'>,
): Promise<NodeKey | MakeKey> {
  const holding = keyHoldingOf(config, loggers.child('keys'))
  if (holding) {
    const key = await holding.open()
    stops.add(key.close)
    const fields = { holder: holding.holder, address: toHex(key.address) }
    loggers.child('node').info(fields, 'the key of this node is with {holder}')
    return key
  }
  const place = keyPlaceOf(config, dataPath)
  if (place.keyFile !== undefined) return createLocalKey(await readPrivateKey(nodeKeyFile(place)))
  const onGenerated = ({ path, key }: GeneratedKey) => {
    const { address, publicKey } = createLocalKey(key)
    loggers
      .child('node')
      .info({ path, address: toHex(address), publicKey: toHex(publicKey) }, 'generated a new node key')
  }
  return async () => createLocalKey(await loadOrCreateNodeKey(place, onGenerated))
}
