import { lookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

// This machine, and what only its own link reaches: where clouds keep the credentials of a machine.
const local = new BlockList()
local.addSubnet('0.0.0.0', 8)
local.addSubnet('127.0.0.0', 8)
local.addSubnet('169.254.0.0', 16)
local.addAddress('::', 'ipv6')
local.addAddress('::1', 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

/** The host of a URL, an IPv6 address without its brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

/** Whether a host is this machine or reached by its own link only; false for a name that has to be looked up. */
export function isLocalHost(host: string): boolean {
  if (isIP(host)) return local.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
  return /(?:^|\.)localhost\.?$/i.test(host)
}

/** Looks up names as Node does; a name that `isTrusted` does not know must not lead to a local address. */
export function createCarefulLookup(isTrusted: (host: string) => boolean): LookupFunction {
  return (host, options, done) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      if (!error && !isTrusted(host) && addresses.some(isLocalHost))
        return done(new Error(`${host} is an address of this machine`), found, family)
      done(error, found, family)
    })
}
