/** The versions of TLS that can be enabled, the newest first; older ones are broken and never offered. */
export const tlsVersions = ['TLSv1.3', 'TLSv1.2'] as const
export type TlsVersion = (typeof tlsVersions)[number]

/** Cipher suites that can be chosen, and the names that OpenSSL has for them; the first of a version is preferred. */
const suites: Readonly<Record<TlsVersion, Readonly<Record<string, string>>>> = {
  'TLSv1.3': {
    TLS_AES_128_GCM_SHA256: 'TLS_AES_128_GCM_SHA256',
    TLS_AES_256_GCM_SHA384: 'TLS_AES_256_GCM_SHA384',
    TLS_CHACHA20_POLY1305_SHA256: 'TLS_CHACHA20_POLY1305_SHA256',
  },
  'TLSv1.2': {
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
    TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
    TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
    TLS_DHE_RSA_WITH_AES_128_GCM_SHA256: 'DHE-RSA-AES128-GCM-SHA256',
    TLS_DHE_RSA_WITH_AES_256_GCM_SHA384: 'DHE-RSA-AES256-GCM-SHA384',
    TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'DHE-RSA-CHACHA20-POLY1305',
    TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
    TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
    TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384: 'ECDHE-ECDSA-AES256-SHA384',
    TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384: 'ECDHE-RSA-AES256-SHA384',
  },
}

/** Whether a cipher suite can be chosen, by the name that Java and IANA have for it. */
export function isCipherSuite(name: string): boolean {
  return tlsVersions.some((version) => name in suites[version])
}

/** Returns those of the cipher suites that one of the versions has. */
export function suitesOfVersions(names: readonly string[], versions: readonly TlsVersion[]): string[] {
  return names.filter((name) => versions.some((version) => name in suites[version]))
}

/** Cipher suites in the form of OpenSSL, the preferred first; by default those that authenticate what they encrypt. */
export function cipherList(names: readonly string[] | undefined): string {
  const all = { ...suites['TLSv1.3'], ...suites['TLSv1.2'] }
  const chosen = names ?? Object.keys(all).filter((name) => !/_CBC_|_DHE_/.test(name))
  return chosen.map((name) => all[name]!).join(':')
}
