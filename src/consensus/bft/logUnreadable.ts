import type { Address } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Logger } from '../../system/logger.ts'
import type { Unreadable } from './machine.ts'

const remembered = 1024

/** Says of each peer once that a message is not looked at, and why: it may run a version that is not known here. */
export function logUnreadable(log: Logger): (message: Unreadable & { readonly address: Address }) => void {
  const reported = createRecentMap<string, true>(remembered)
  return ({ address, kind, reason }) => {
    const peer = toHex(address)
    if (reported.use(peer)) return
    reported.set(peer, true)
    log.warn({ peer, message: kind, reason }, 'ignored a message of this peer that cannot be read')
  }
}
