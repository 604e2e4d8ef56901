import { logForms } from '../system/logForms.ts'
import { badValue } from './fault.ts'
import { option, unset } from './option.ts'
import { profile, warnOfProfile } from './profiles.ts'
import {
  bigInteger,
  boolean,
  identity,
  list,
  logLevel,
  natural,
  numberedHash,
  type OptionCodec,
  oneOf,
  path,
} from './values.ts'

const networks = [
  'MAINNET',
  'SEPOLIA',
  'GOERLI',
  'HOLESKY',
  'DEV',
  'FUTURE_EIPS',
  'EXPERIMENTAL_EIPS',
  'CLASSIC',
  'MORDOR',
] as const
const anyNetwork = oneOf(networks, 'any case')
/** Public networks of later versions of Besu. */
const laterNetworks = ['HOODI', 'EPHEMERY', 'LINEA_MAINNET', 'LINEA_SEPOLIA', 'LUKSO']

/** Accepts all of Besu's network names, so that the message can say why a public network is rejected. */
const network: OptionCodec<'DEV'> = {
  label: 'DEV',
  arity: 'one',
  decode(text) {
    const name = laterNetworks.find((later) => later === text.toUpperCase()) ?? anyNetwork.decode(text)
    if (name !== 'DEV')
      throw badValue(`${name} is not a private network; use DEV, or configure a network with --genesis-file`)
    return name
  },
  encode: (name) => name,
}

const formats = oneOf(['text', 'json', ...logForms], 'any case')
/** `PLAIN` is Besu's name of text. */
const logFormat: typeof formats = {
  ...formats,
  decode: (text) => formats.decode(text.toLowerCase() === 'plain' ? 'text' : text),
}

/** The node and its chain. */
export const nodeOptions = {
  'config-file': option(path('FILE'), unset(), 'node', 'TOML configuration file.'),
  'data-path': option(path('PATH'), 'data', 'node', 'Directory of the database and the node key; created if missing.'),
  'genesis-file': option(
    path('FILE'),
    unset(),
    'node',
    "Genesis file of a private network; can't be used with --network.",
  ),
  network: option(network, 'DEV', 'node', 'Built-in network to run.'),
  profile: option(
    profile,
    unset(),
    'node',
    "One of Besu's profiles; ENTERPRISE and PRIVATE set limits for a private network. All other ways to set an option count more.",
    { warning: warnOfProfile },
  ),
  'network-id': option(bigInteger, unset('chain id; 2018 on DEV'), 'node', 'Network ID; peers must have the same.'),
  'node-private-key-file': option(
    path('FILE'),
    unset('key in the data path, created if missing'),
    'node',
    'Node private key file; must exist if given.',
  ),
  'node-private-key-password-file': option(
    path('FILE'),
    unset('the key is not encrypted'),
    'node',
    'File with the password of the node private key, if that is a keystore file (Web3 Secret Storage, version 3). A key that is made is encrypted with it.',
  ),
  identity: option(identity, unset(), 'node', 'Name included in the client version.'),
  'history-blocks': option(
    natural,
    0,
    'node',
    'Number of recent blocks whose state is kept; 0 keeps all. At least 512 on networks whose blocks are not final (Clique).',
  ),
  'block-history': option(
    natural,
    0,
    'node',
    'Number of recent blocks whose transactions, receipts and logs are kept; 0 keeps all. Headers are kept of all blocks. At least 512.',
  ),
  'required-blocks': option(
    list(numberedHash),
    [],
    'node',
    'Blocks that the chain must have: one with this number and another hash is invalid.',
    { aliases: ['required-block'] },
  ),
  'kzg-trusted-setup': option(
    path('FILE'),
    unset("the setup of Ethereum's ceremony"),
    'node',
    'KZG trusted setup of networks with blobs; must be that of Ethereum.',
  ),
  plugin: option(
    path('FILE'),
    unset(),
    'node',
    'Module of JavaScript (.mjs) that decides which transactions may enter the pool and which peers may connect, and is told of blocks: mayEnter, mayConnect, onBlock. It runs in a thread of its own; where it fails, nothing may enter.',
  ),
  'pid-path': option(path('PATH'), unset(), 'node', 'File for the process id; removed when the node stops.'),
  'reorg-logging-threshold': option(
    natural,
    0,
    'node',
    'Reorganisations that remove fewer blocks than this are logged at level DEBUG.',
  ),
  'auto-log-bloom-caching-enabled': option(boolean, true, 'node', 'Index the logs of new blocks.'),
  'revert-reason-enabled': option(boolean, false, 'node', 'Store revert reasons and include them in receipts.'),
  logging: option(logLevel, 'INFO', 'node', 'Logging verbosity; FATAL is read as ERROR.', {
    aliases: ['l'],
  }),
  'log-format': option(
    logFormat,
    unset('text on a terminal, else json'),
    'node',
    'Form of the log lines: text (plain, in Besu), JSON, or the JSON of a collector: ECS of Elastic, GCP of Google Cloud, Logstash, GELF of Graylog. With any JSON, nothing else is written to standard output.',
    { aliases: ['logging-format'] },
  ),
  'color-enabled': option(boolean, unset('true on a terminal, else false'), 'node', 'Use colors in log output.'),
}
