import { defaultDevFork, devForks } from '../forks/devGenesis.ts'
import { isPrivateDev } from './devDefaults.ts'
import { derived, option, unset } from './option.ts'
import {
  address,
  bigInteger,
  boolean,
  forkOf,
  hexData,
  integer,
  natural,
  positive,
  ratio,
  text,
  wei,
} from './values.ts'

// Random keys sign the markers of private transactions: they have nothing to pay with.
const minGasPrice = derived('1000; 0 on the DEV network with --privacy-enabled', (given) =>
  isPrivateDev(given) ? 0n : 1000n,
)

/** Block production. */
export const miningOptions = {
  'dev-period': option(
    integer(0, 86400),
    0,
    'mining',
    'Block period of the DEV network in seconds; 0 makes a block whenever a transaction arrives.',
  ),
  'dev-fork': option(
    forkOf(devForks),
    defaultDevFork,
    'mining',
    `Rules of the DEV network: ${devForks.join(', ')}. With london it has the genesis block of Besu's.`,
  ),
  'dev-accounts': option(
    integer(0, 1000),
    unset('10; 0 with --dev-fork=london'),
    'mining',
    "Number of accounts of --dev-mnemonic that the DEV network funds, beside the three of Besu's.",
    { aliases: ['accounts'] },
  ),
  'dev-mnemonic': option(
    text('WORDS'),
    unset('test test … junk, as in Hardhat and Foundry'),
    'mining',
    'Mnemonic of the accounts of the DEV network.',
    { aliases: ['mnemonic'] },
  ),
  'dev-balance': option(bigInteger, unset('10000'), 'mining', 'Balance of each account of --dev-mnemonic, in ether.', {
    aliases: ['balance'],
  }),
  'dev-client-version': option(
    text('TEXT'),
    unset(),
    'mining',
    'What web3_clientVersion returns on the DEV network, for tools that want to see the name of another client.',
  ),
  'miner-enabled': option(boolean, false, 'mining', 'Make blocks; requires --miner-coinbase.'),
  'miner-coinbase': option(address, unset(), 'mining', 'Account that receives block rewards and fees.'),
  'miner-extra-data': option(hexData(32), new Uint8Array(0), 'mining', 'Extra data of new blocks, at most 32 bytes.'),
  'min-gas-price': option(
    wei,
    minGasPrice,
    'mining',
    'Minimum gas price of accepted transactions, and of eth_gasPrice.',
  ),
  'min-priority-fee': option(wei, 0n, 'mining', 'Minimum priority fee of transactions included in new blocks.'),
  'Xbft-legacy-protocol-encoding': option(
    boolean,
    unset('what each validator writes itself'),
    'mining',
    'Write proposals and round changes of IBFT 2.0 and QBFT as Besu before 26.1 (true) or as Besu since (false). Both are read.',
  ),
  'min-block-occupancy-ratio': option(
    ratio,
    0.8,
    'mining',
    'Minimum share of the gas limit to fill before a transaction that does not fit ends the block.',
  ),
  'max-blobs-per-block': option(
    natural,
    unset('as many as the fork allows'),
    'mining',
    'Maximum number of blobs in a block that this node makes, from Osaka on.',
  ),
  'target-gas-limit': option(positive, unset(), 'mining', 'Gas limit that new blocks move towards.'),
}
