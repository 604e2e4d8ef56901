import { readFileSync, writeFileSync } from 'node:fs'
import type { PeerCertificate } from 'node:tls'
import { TlsError } from './fault.ts'

/** The clients whose certificates are known: common names together with SHA-256 fingerprints. */
export type KnownClients = ReadonlySet<string>
/** The servers whose certificates are known: addresses together with SHA-256 fingerprints. */
export type KnownServers = ReadonlySet<string>

/** Creates an empty known-clients file if there is none, as Besu does. */
export function createKnownClients(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'a', mode: 0o600 })
  } catch {
    // A file that cannot be written may still be readable.
  }
}

/** Reads a known-clients file; throws a `TlsError` that names the line that is invalid. */
export function readKnownClients(path: string): KnownClients {
  return readFingerprints(path, 'a common name')
}

/** Reads a file of servers, each as `host:port` and the SHA-256 fingerprint of its certificate. */
export function readKnownServers(path: string): KnownServers {
  return readFingerprints(path, 'host:port')
}

function readFingerprints(path: string, what: string): ReadonlySet<string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new TlsError(
      { code: 'TLS_FILE', path, reason: (error as NodeJS.ErrnoException).code ?? String(error) },
      error,
    )
  }
  const known = new Set<string>()
  text.split('\n').forEach((line, i) => {
    const entry = line.trim()
    if (entry === '' || entry.startsWith('#')) return
    const [, name, fingerprint] = /^(\S.*?)\s+((?:[0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2})$/.exec(entry) ?? []
    if (name === undefined || fingerprint === undefined) {
      const reason = `line ${i + 1} is not ${what} followed by a SHA-256 fingerprint`
      throw new TlsError({ code: 'TLS_FILE', path, reason })
    }
    known.add(entryOf(name, fingerprint))
  })
  return known
}

/** Whether the common name and the fingerprint of a certificate are in the list. */
export function isKnownClient(clients: KnownClients, certificate: PeerCertificate): boolean {
  const name = certificate.subject.CN as string | readonly string[] | undefined
  return typeof name === 'string' && clients.has(entryOf(name, certificate.fingerprint256))
}

/** Whether the fingerprint of a certificate is the one in the list for an address. */
export function isKnownServer(servers: KnownServers, place: string, fingerprint: string): boolean {
  return servers.has(entryOf(place, fingerprint))
}

function entryOf(name: string, fingerprint: string): string {
  return `${name} ${fingerprint.replaceAll(':', '').toUpperCase()}`
}
