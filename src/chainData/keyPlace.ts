import type { Config } from '../config/options.ts'
import type { NodeKeyPlace } from '../keys/nodeKey.ts'

/** Where the options say that the key of the node lies. */
export function keyPlaceOf(config: Config, dataPath = config['data-path']): NodeKeyPlace {
  return {
    dataPath,
    keyFile: config['node-private-key-file'],
    passwordFile: config['node-private-key-password-file'],
  }
}
