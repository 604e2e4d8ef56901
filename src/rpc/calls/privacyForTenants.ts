import { fromBase64 } from '../../privacy/enclave/base64.ts'
import { RpcError } from '../protocol/fault.ts'
import type { PrivacyFor, PrivacyPort } from '../protocol/privacyPorts.ts'

/** Gives each requester the private transactions of the key that the token names. */
export function privacyForTenants(open: (publicKey: string) => PrivacyPort): PrivacyFor['of'] {
  return ({ isAuthenticated, privacyPublicKey }) => {
    if (!isAuthenticated) throw new RpcError({ code: 'UNAUTHORIZED' })
    if (!privacyPublicKey || !fromBase64(privacyPublicKey))
      throw new RpcError({ code: 'INVALID_REQUEST', detail: 'the token has no valid privacyUserId' })
    return open(privacyPublicKey)
  }
}
