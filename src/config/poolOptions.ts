import { derived, option, unset } from './option.ts'
import { poolOf } from './poolLimits.ts'
import { address, boolean, integer, list, oneOf, path, positive, ratio, wei } from './values.ts'

/** The transaction pool. */
export const poolOptions = {
  'tx-pool': option(
    oneOf(['layered', 'legacy', 'sequenced'], 'any case'),
    derived('layered; legacy where limits of it are set', poolOf),
    'pool',
    'Which of the limits below apply; sequenced is the newer name of legacy.',
  ),
  'tx-pool-min-gas-price': option(
    wei,
    unset('--min-gas-price'),
    'pool',
    'Minimum gas price of transactions that the pool accepts.',
  ),
  'tx-pool-price-bump': option(
    integer(0, 1000),
    unset('10; 0 on networks with free gas'),
    'pool',
    'Minimum price increase of a replacement transaction in percent.',
  ),
  'tx-pool-max-future-by-sender': option(
    positive,
    200,
    'pool',
    "Maximum distance of a nonce from the sender's next nonce (layered).",
    { aliases: ['Xlayered-tx-pool-max-future-by-sender'] },
  ),
  'tx-pool-layer-max-capacity': option(
    positive,
    12_500_000,
    'pool',
    'Maximum size of each layer after the first in bytes (layered).',
    { aliases: ['Xlayered-tx-pool-layer-max-capacity'] },
  ),
  'tx-pool-max-size': option(positive, 4096, 'pool', 'Maximum number of transactions (legacy).'),
  'tx-pool-limit-by-account-percentage': option(ratio, 0.001, 'pool', 'Maximum share of the pool per sender (legacy).'),
  'tx-pool-retention-hours': option(
    positive,
    13,
    'pool',
    'Maximum hours that a transaction stays in the pool (legacy).',
  ),
  'tx-pool-no-local-priority': option(boolean, false, 'pool', 'Give local transactions no priority over remote ones.', {
    aliases: ['tx-pool-disable-locals'],
  }),
  'tx-pool-priority-senders': option(list(address), [], 'pool', 'Senders whose transactions have priority.'),
  'tx-pool-enable-save-restore': option(boolean, false, 'pool', 'Save the pool on shutdown and restore it on startup.'),
  'tx-pool-save-file': option(
    path('FILE'),
    'txpool.dump',
    'pool',
    'File of the saved pool, relative to the data path.',
  ),
  'p2p-tx-feecap': option(
    wei,
    unset('none'),
    'pool',
    'Maximum gas price of transactions from peers; 0 accepts only free ones.',
  ),
  'strict-tx-replay-protection-enabled': option(
    boolean,
    false,
    'pool',
    'Reject transactions without chain id (EIP-155) from JSON-RPC.',
  ),
}
