import type { Authority } from '../../auth/authority.ts'
import type { Config } from '../../config/options.ts'
import { createRateLimit } from '../../http/rateLimit.ts'
import type { Access } from '../../rpc/server/gate.ts'
import { authOptionsOf } from '../options/authOptions.ts'

/** Who may use the servers of a node, and how often. */
export interface ServerAccess {
  /** Of JSON-RPC over HTTP and of GraphQL. */
  readonly http: Access
  readonly ws: Access
  close(): Promise<unknown>
}

/** Reads the files that authentication needs; throws if one of them is missing or invalid. */
export async function createAccess(config: Config): Promise<ServerAccess> {
  const perSecond = config['rpc-max-requests-per-second']
  const rateLimit = perSecond > 0 ? createRateLimit(perSecond) : undefined
  const create = async (name: 'http' | 'ws'): Promise<Authority | undefined> => {
    const options = authOptionsOf(config, name)
    if (!options) return undefined
    // Most nodes do not authenticate, and start faster without the libraries for it.
    const { createAuthority } = await import('../../auth/authority.ts')
    return createAuthority(options)
  }
  const [http, ws] = [await create('http'), await create('ws')]
  return {
    http: { authority: http, rateLimit },
    ws: { authority: ws, rateLimit },
    close: () => Promise.all([http?.close(), ws?.close()]),
  }
}
