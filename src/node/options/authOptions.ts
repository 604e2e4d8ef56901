import type { AuthOptions } from '../../auth/authority.ts'
import { usage } from '../../config/fault.ts'
import type { Config } from '../../config/options.ts'
import { methods } from '../../rpc/methods/all.ts'
import { knownNames } from '../../rpc/protocol/knownNames.ts'

/** How a server authenticates its callers; undefined if it does not. Throws if a method without authentication is unknown. */
export function authOptionsOf(config: Config, name: 'http' | 'ws'): AuthOptions | undefined {
  const openMethods = config[`rpc-${name}-api-methods-no-auth`]
  const exists = (method: string) => knownNames.has(method) || methods.some((one) => one.name === method)
  if (!openMethods.every(exists))
    throw usage(`Invalid value for option '--rpc-${name}-api-methods-no-auth', options must be valid RPC methods`)
  const option = `rpc-${name}-authentication` as const
  const algorithm = config[`${option}-jwt-algorithm`]
  // With a public key, HS256 is refused by `checkConfig`; without one the algorithm does not matter.
  return config[`${option}-enabled`]
    ? {
        server: name === 'http' ? 'HTTP' : 'WS',
        credentialsFile: config[`${option}-credentials-file`],
        publicKeyFile: config[`${option}-jwt-public-key-file`],
        algorithm: algorithm === 'HS256' ? 'RS256' : algorithm,
        openMethods,
      }
    : undefined
}
