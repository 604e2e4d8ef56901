import { managerKey } from './networkValues.ts'
import { option, unset } from './option.ts'
import { boolean, host, list, path, port, url } from './values.ts'

/** The options of a private transaction manager, whether it runs in a node or alone. */
export function managerOptions(group: string) {
  return {
    'key-file': option(
      list(path('FILE')),
      unset('privacy.key in the data path, which is made if it does not exist'),
      group,
      "Private keys of the private transaction manager: Tessera's unlocked JSON, base64, or a keystore file with a password.",
    ),
    'key-password-file': option(
      path('FILE'),
      unset('the keys are not encrypted'),
      group,
      'File with the password of these keys, if they are keystore files (quoin key encrypt). A key that is made is encrypted with it.',
    ),
    'peer-host': option(host, '127.0.0.1', group, 'Interface for other private transaction managers.'),
    'peer-port': option(port, 9000, group, 'Port for other managers; 0 picks any free port.'),
    'peer-url': option(
      url(['http', 'https']),
      unset('http://, the host and the port for other managers'),
      group,
      'Address that other managers are to connect to.',
    ),
    peers: option(
      list(url(['http', 'https'])),
      [],
      group,
      'Addresses of other managers, Quoin or Tessera; one of them is enough to find all.',
    ),
    'peer-discovery': option(boolean, true, group, 'Contact managers that the peers name, too.'),
    'allowed-keys': option(
      list(managerKey),
      unset('any'),
      group,
      'Public keys of others that may send here and be sent to, in base64; nothing that they store is limited then.',
    ),
    recover: option(
      boolean,
      false,
      group,
      'Ask the other managers for all payloads again. A manager that has none does so anyway.',
    ),
  }
}

type ManagerOptions = ReturnType<typeof managerOptions>
type Prefixed = { readonly [K in keyof ManagerOptions & string as `privacy-manager-${K}`]: ManagerOptions[K] }

/** The same of the manager inside a node. */
export const embeddedManagerOptions = Object.fromEntries(
  Object.entries(managerOptions('privacy')).map(([name, entry]) => [`privacy-manager-${name}`, entry]),
) as Prefixed

/** The problem of a manager that listens everywhere without saying where; `prefix` is that of its options. */
export function addressProblem(prefix: string, peerHost: string, peerUrl: string | undefined): string | undefined {
  if (!/^(?:0\.0\.0\.0|::)$/.test(peerHost) || peerUrl !== undefined) return undefined
  return `Name the address that other managers connect to with '--${prefix}peer-url': ${peerHost} is none`
}
