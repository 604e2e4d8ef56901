import { isIP } from 'node:net'
import { isNodesInterface } from '../permissioning/contracts/nodesContract.ts'
import { checkSecurityModule } from './checkSecurityModule.ts'
import { explorerWanted } from './explorerOptions.ts'
import { createProblems, type Problems } from './fault.ts'
import { addressProblem, embeddedManagerOptions } from './managerOptions.ts'
import type { Config } from './options.ts'
import { poolLimits } from './poolLimits.ts'
import type { Resolved } from './resolveConfig.ts'
import { tlsProblems } from './tlsSettings.ts'

/** The options that enable each server, and its port. */
const listeners = [
  ['rpc-http-enabled', 'rpc-http-port'],
  ['rpc-ws-enabled', 'rpc-ws-port'],
  ['graphql-http-enabled', 'graphql-http-port'],
  ['explorer-enabled', 'explorer-http-port'],
  ['p2p-enabled', 'p2p-port'],
  ['metrics-enabled', 'metrics-port'],
] as const satisfies readonly (readonly [keyof Config, keyof Config])[]

/** Fewer blocks are not enough for those who ask for recent ones, and for reorganisations. */
const minBlockHistory = 512

type Chosen = Pick<Resolved, 'config' | 'given'>

/** Throws if options contradict each other, all problems at once; a node starts only after this check. */
export function checkConfig({ config, given }: Chosen): void {
  const problems = createProblems()
  if (given.has('network') && given.has('genesis-file'))
    problems.add(
      "--network option and --genesis-file option can't be used at the same time.  " +
        'Please refer to CLI reference for more details about this constraint.',
    )
  if (given.has('dev-period') && given.has('genesis-file'))
    problems.add('--dev-period is only for the DEV network; with --genesis-file the genesis file sets the block period')
  for (const name of ['dev-fork', 'dev-accounts', 'dev-mnemonic', 'dev-balance', 'dev-client-version'] as const)
    if (given.has(name) && given.has('genesis-file'))
      problems.add(`--${name} is only for the DEV network; it can't be used with --genesis-file`)
  if (config['miner-enabled'] && config['miner-coinbase'] === undefined)
    problems.add(
      'Unable to mine without a valid coinbase. Either disable mining (remove --miner-enabled) ' +
        'or specify the beneficiary of mining (via --miner-coinbase <Address>)',
    )
  if (config['metrics-enabled'] && config['metrics-push-enabled'])
    problems.add(
      "--metrics-enabled option and --metrics-push-enabled option can't be used at the same time.  " +
        'Please refer to CLI reference for more details about this constraint.',
    )
  for (const name of ['http', 'ws'] as const) checkAuthentication(config, name, problems)
  if (config['Xdns-update-enabled'] && !config['Xdns-enabled'])
    problems.add(
      'The `--Xdns-update-enabled` requires dns to be enabled. ' +
        'Either remove --Xdns-update-enabled or specify dns is enabled (--Xdns-enabled)',
    )
  if (!config['Xdns-enabled'])
    for (const { ip } of config.bootnodes)
      if (isIP(ip) === 0)
        problems.add(
          `Invalid value for option '--bootnodes': '${ip}' is not an IP address; --Xdns-enabled allows names`,
        )
  if (config['privacy-enabled']) checkPrivacy({ config, given }, problems)
  checkSecurityModule({ config, given }, problems)
  if (config['explorer-sources-enabled'] && !explorerWanted(config))
    problems.add('--explorer-sources-enabled needs --explorer-enabled: sources are served at the port of the explorer')
  const blocks = config['block-history']
  if (blocks > 0 && blocks < minBlockHistory)
    problems.add(`--block-history=${blocks}: choose at least ${minBlockHistory}, or 0 to keep all blocks`)
  checkPool(config['tx-pool'], given, problems)
  checkContracts(config, problems)
  checkPorts(config, problems)
  for (const server of ['rpc-http', 'rpc-ws', 'graphql-http'] as const)
    if (config[`${server}-enabled`] || (server === 'rpc-http' && config['explorer-enabled']))
      for (const problem of tlsProblems(config, server)) problems.add(problem)
  problems.throwAny()
}

function checkAuthentication(config: Config, name: 'http' | 'ws', problems: Problems): void {
  if (!config[`rpc-${name}-authentication-enabled`]) return
  const option = `rpc-${name}-authentication` as const
  const hasKey = config[`${option}-jwt-public-key-file`] !== undefined
  if (!hasKey && config[`${option}-credentials-file`] === undefined)
    problems.add(
      `Unable to authenticate JSON-RPC ${name === 'http' ? 'HTTP' : 'WebSocket'} endpoint ` +
        'without a supplied credentials file or authentication public key file',
    )
  if (hasKey && config[`${option}-jwt-algorithm`] === 'HS256')
    problems.add(
      `--${option}-jwt-algorithm=HS256 can't be used with --${option}-jwt-public-key-file: ` +
        'anyone who has the public key could sign tokens',
    )
}

function checkPrivacy({ config, given }: Chosen, problems: Problems): void {
  if (config['privacy-url'] === undefined) checkManager(config, problems)
  else checkExternalManager(config, given, problems)
  if (config['privacy-multi-tenancy-enabled']) checkTenants(config, problems)
  if (config['history-blocks'] > 0 || config['block-history'] > 0)
    problems.add('Pruning cannot be enabled with privacy.')
  if (config['sync-mode'] === 'SNAP')
    problems.add(
      "--sync-mode=SNAP can't be used with private transactions: their execution may read the state of every block",
    )
  if (config['min-gas-price'] > 0n && config['privacy-marker-transaction-signing-key-file'] === undefined)
    problems.add(
      'Not a free gas network. Set --privacy-marker-transaction-signing-key-file, or --min-gas-price=0: ' +
        'privacy marker transactions that random keys sign cannot pay for gas',
    )
}

function checkManager(config: Config, problems: Problems): void {
  if (config['privacy-tls-enabled']) problems.add('--privacy-tls-enabled needs --privacy-url')
  const problem = addressProblem(
    'privacy-manager-',
    config['privacy-manager-peer-host'],
    config['privacy-manager-peer-url'],
  )
  if (problem !== undefined) problems.add(problem)
}

function checkExternalManager(config: Config, given: ReadonlySet<string>, problems: Problems): void {
  if (config['privacy-public-key-file'] === undefined && !config['privacy-multi-tenancy-enabled'])
    problems.add('Please specify Enclave public key file path to enable privacy: --privacy-public-key-file')
  for (const name of Object.keys(embeddedManagerOptions))
    if (given.has(name)) problems.add(`--${name} can't be used with an external private transaction manager`)
  const [keystore, password] = [config['privacy-tls-keystore-file'], config['privacy-tls-keystore-password-file']]
  if ((keystore === undefined) !== (password === undefined))
    problems.add('--privacy-tls-keystore-file and --privacy-tls-keystore-password-file are required together')
}

function checkTenants(config: Config, problems: Problems): void {
  if (config['privacy-flexible-groups-enabled'])
    problems.add('Privacy multi-tenancy cannot be used with --privacy-flexible-groups-enabled in this version')
  if (!config['rpc-http-authentication-enabled'] && !config['rpc-ws-authentication-enabled'])
    problems.add(
      'Privacy multi-tenancy requires either http authentication to be enabled or WebSocket authentication to be enabled',
    )
  if (config['privacy-public-key-file'] !== undefined)
    problems.add('Privacy multi-tenancy and privacy public key cannot be used together')
}

function checkPool(pool: Config['tx-pool'], given: ReadonlySet<string>, problems: Problems): void {
  const family = pool === 'layered' ? 'legacy' : 'layered'
  const wrong = poolLimits[family].filter((name) => given.has(name)).map((name) => `--${name}`)
  if (wrong.length)
    problems.add(
      `Could not use ${family} transaction pool options with ${pool} implementation: ` +
        `set --tx-pool=${family}, or remove ${wrong.join(', ')}`,
    )
}

function checkContracts(config: Config, problems: Problems): void {
  if (config['permissions-accounts-contract-enabled'] && !config['permissions-accounts-contract-address'])
    problems.add(
      'No account permissioning contract address specified. ' +
        'Cannot enable smart contract based account permissioning.',
    )
  if (!config['permissions-nodes-contract-enabled']) return
  if (!config['permissions-nodes-contract-address'])
    problems.add(
      'No node permissioning contract address specified. Cannot enable smart contract based node permissioning.',
    )
  if (!isNodesInterface(config['permissions-nodes-contract-version']))
    problems.add('Invalid node Smart contract permissioning interface version')
}

function checkPorts(config: Config, problems: Problems): void {
  const taken = new Set<number>()
  for (const [enabled, port] of listeners) {
    const number = config[port]
    if (!config[enabled] || !number) continue
    if (taken.has(number))
      problems.add(
        `Port number '${number}' has been specified multiple times. Please review the supplied configuration.`,
      )
    taken.add(number)
  }
  const managerPort = config['privacy-manager-peer-port']
  if (config['privacy-enabled'] && config['privacy-url'] === undefined && taken.has(managerPort))
    problems.add(
      `Port number '${managerPort}' has been specified multiple times. Please review the supplied configuration.`,
    )
}
