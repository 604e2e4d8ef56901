import { join } from 'node:path'
import type { SendText } from '../../jsonrpc/remoteCall.ts'
import { openHttpCalls } from '../../rpc/server/serve.ts'
import type { Sources } from '../../sources/createSources.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { httpOptionsOf } from '../options/serverOptions.ts'
import type { GraphqlParts } from './graphqlPorts.ts'

export interface NodeSourcesParts extends GraphqlParts {
  readonly clock: Clock
  readonly log: Logger
  readonly dataPath: string
}

/** Sources of the contracts of this node; undefined where they are not enabled. */
export async function createNodeSources(parts: NodeSourcesParts): Promise<Sources | undefined> {
  const { config, access = {}, clock, log, dataPath } = parts
  if (!config['explorer-sources-enabled']) return undefined
  // Most nodes have none, and start faster without.
  const { createSources } = await import('../../sources/createSources.ts')
  const options = {
    folder: join(dataPath, 'sources'),
    compilers: config['explorer-sources-compilers'],
    openAbis: config['explorer-sources-open-abis'],
  }
  return createSources(options, { send: sendHere(parts), access, clock, log: log.child('sources') })
}

/** Calls this node, whatever it serves to others. */
function sendHere(parts: NodeSourcesParts): SendText {
  const options = { ...httpOptionsOf(parts.config), namespaces: ['ETH', 'DEBUG', 'OTS'] }
  const { dispatch } = openHttpCalls(options, { ...parts, access: {}, onCall: undefined })
  return async (text) => {
    const { body } = await dispatch(text, { address: 'sources', authorization: undefined })
    return typeof body === 'string' ? body : [...body].join('')
  }
}
