import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostOf, isLocalHost } from './localAddresses.ts'
import type { Party } from './parties.ts'

/** Whether a network address is that of a manager. */
export async function isAddressOf(party: Party | undefined, address: string | undefined): Promise<boolean> {
  if (!party || address === undefined) return false
  const host = hostOf(party.url)
  const from = plainAddress(address)
  if (isIP(host)) return plainAddress(host) === from
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.some((entry) => plainAddress(entry.address) === from)
}

function plainAddress(address: string): string {
  const plain = address.replace(/^::ffff:/, '')
  return isLocalHost(plain) && !/^(?:fe|169)/i.test(plain) ? 'loopback' : plain
}
