import { failed } from '../config/fault.ts'
import type { Config } from '../config/options.ts'
import { openRemoteKey } from '../keyServer/remoteKey.ts'
import type { HeldKey } from '../keys/nodeIdentity.ts'
import { TokenError } from '../pkcs11/fault.ts'
import { openTokenKey } from '../pkcs11/openTokenKey.ts'
import type { KeyPlace } from '../pkcs11/tokenSigner.ts'
import { systemClock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { keyServerPlaceOf } from './keyServerPlace.ts'
import { tokenPlaceOf } from './tokenPlace.ts'

/** What holds the key of a node, instead of a file. */
export interface KeyHolding {
  /** For messages. */
  readonly holder: string
  /** What to do if it cannot be opened. */
  readonly remedy: string
  /** Asks for the key; waits for so many milliseconds for a holder that is not there yet. */
  open(patience?: number): Promise<HeldKey>
}

/** What the options say that holds the key of the node; undefined if it is in a file. */
export function keyHoldingOf(config: Config, log: Logger): KeyHolding | undefined {
  if (config['security-module'] === 'pkcs11') return tokenHolding(tokenPlaceOf(config, '--security-module=pkcs11'), log)
  const server = keyServerPlaceOf(config, log)
  return (
    server && {
      holder: `key server ${server.url.origin}`,
      remedy: 'start quoin key-server, and check --key-server-url and its TLS options',
      open: (patience) => openRemoteKey({ ...server, ...(patience !== undefined && { patience }) }, log),
    }
  )
}

/** A key in a token, as all commands open it. */
export function tokenHolding(place: KeyPlace, log: Logger): KeyHolding {
  const { slot } = place
  const token =
    slot.kind === 'label'
      ? `"${slot.label}"`
      : `in slot ${slot.kind === 'slot' ? '' : '#'}${slot.kind === 'slot' ? slot.slot : slot.index}`
  return {
    holder: `token ${token}`,
    remedy: 'check that the token is there, and the options --pkcs11-*',
    async open(patience) {
      const parts = { clock: systemClock, log, ...(patience !== undefined && { patience }) }
      try {
        return await openTokenKey(place, parts)
      } catch (error) {
        if (error instanceof TokenError)
          throw failed(`The key in token ${token} cannot be used: ${error.message}`, error)
        throw error
      }
    },
  }
}
