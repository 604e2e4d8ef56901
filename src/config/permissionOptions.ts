import { option, unset } from './option.ts'
import { address, boolean, natural, path } from './values.ts'

/** Permissioning. */
export const permissionOptions = {
  'permissions-nodes-config-file-enabled': option(
    boolean,
    false,
    'permissions',
    'Connect only with nodes of the nodes-allowlist in a permissions file.',
  ),
  'permissions-nodes-config-file': option(
    path('FILE'),
    unset('permissions_config.toml in the data path'),
    'permissions',
    'TOML file with the nodes-allowlist.',
    { mayBeEmpty: true },
  ),
  'permissions-accounts-config-file-enabled': option(
    boolean,
    false,
    'permissions',
    'Accept transactions only of accounts of the accounts-allowlist in a permissions file.',
  ),
  'permissions-accounts-config-file': option(
    path('FILE'),
    unset('permissions_config.toml in the data path'),
    'permissions',
    'TOML file with the accounts-allowlist.',
    { mayBeEmpty: true },
  ),
  'permissions-accounts-contract-enabled': option(
    boolean,
    false,
    'permissions',
    'Ask a contract which transactions are allowed: in the pool, in new blocks and in imported blocks.',
  ),
  'permissions-accounts-contract-address': option(
    address,
    unset(),
    'permissions',
    'Contract to ask about transactions.',
    { mayBeEmpty: true },
  ),
  'permissions-nodes-contract-enabled': option(
    boolean,
    false,
    'permissions',
    'Ask a contract which nodes may connect: for each new connection, and for all connections after each block.',
  ),
  'permissions-nodes-contract-address': option(address, unset(), 'permissions', 'Contract to ask about nodes.', {
    mayBeEmpty: true,
  }),
  'permissions-nodes-contract-version': option(
    natural,
    1,
    'permissions',
    'Interface of the contract for nodes: 1 asks about both ends in one call, 2 about each end.',
  ),
}
