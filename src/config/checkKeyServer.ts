import type { Problems } from './fault.ts'
import type { Config } from './options.ts'

/** Names of machines that nothing leaves this one for. */
export const isLoopback = (host: string): boolean => /^(?:127\.|\[?::1\]?$|localhost$)/.test(host)

const pairs = [
  ['key-server-tls-certificate-file', 'key-server-tls-key-file'],
  ['key-server-tls-keystore-file', 'key-server-tls-keystore-password-file'],
] as const

/** What is wrong with the options of the key server. */
export function checkKeyServer(config: Config, problems: Problems): void {
  for (const [one, other] of pairs)
    if ((config[one] === undefined) !== (config[other] === undefined))
      problems.add(`--${one} and --${other} are required together`)
  if (pairs.every(([name]) => config[name] !== undefined))
    problems.add("--key-server-tls-certificate-file and --key-server-tls-keystore-file can't be used at the same time")
  const at = config['key-server-url']
  if (at === undefined) {
    problems.add('--security-module=key-server needs --key-server-url')
    return
  }
  const { protocol, hostname } = new URL(at)
  if (protocol === 'http:' && !isLoopback(hostname))
    problems.add('--key-server-url must be an https address: only on this machine the key may be used without TLS')
  if (protocol === 'https:' && pairs.every(([name]) => config[name] === undefined))
    problems.add('--key-server-url with https needs a certificate of this node: see --key-server-tls-certificate-file')
}
