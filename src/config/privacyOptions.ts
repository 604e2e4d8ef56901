import { embeddedManagerOptions } from './managerOptions.ts'
import { derived, option, unset } from './option.ts'
import { privacyTlsOptions } from './tlsOptions.ts'
import { boolean, path, url } from './values.ts'

/** Private transactions. */
export const privacyOptions = {
  'privacy-enabled': option(
    boolean,
    false,
    'privacy',
    'Enable private transactions, with the private transaction manager inside or an external one.',
  ),
  'privacy-url': option(
    url(['http', 'https']),
    derived<string | undefined>(
      'http://localhost:8888 with --privacy-public-key-file, else the manager inside',
      (given) => (given.has('privacy-public-key-file') ? 'http://localhost:8888/' : undefined),
    ),
    'privacy',
    'Address of an external private transaction manager, a Tessera in Orion mode.',
  ),
  'privacy-public-key-file': option(
    path('FILE'),
    unset(),
    'privacy',
    "File with this node's public key at the external private transaction manager, in base64.",
  ),
  ...privacyTlsOptions,
  ...embeddedManagerOptions,
  'privacy-multi-tenancy-enabled': option(
    boolean,
    false,
    'privacy',
    "Let tenants share the node: each one's key is the privacyUserId of its token.",
  ),
  'privacy-marker-transaction-signing-key-file': option(
    path('FILE'),
    unset('a random key for each'),
    'privacy',
    'Private key file that signs privacy marker transactions.',
  ),
  'privacy-marker-key-password-file': option(
    path('FILE'),
    unset('the key is not encrypted'),
    'privacy',
    'File with the password of that key, if it is a keystore file (Web3 Secret Storage, version 3).',
  ),
  'privacy-flexible-groups-enabled': option(
    boolean,
    false,
    'privacy',
    'Let a contract in the private state of each group keep its members, instead of the private transaction manager.',
    { aliases: ['privacy-onchain-groups-enabled'] },
  ),
}
