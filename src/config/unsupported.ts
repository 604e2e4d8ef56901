import { badValue, usage } from './fault.ts'
import { decodeValue, type Option } from './option.ts'
import { boolean, list, natural, type OptionCodec, oneOf, text } from './values.ts'

/** An option of Besu that Quoin has not: it is rejected, or accepted without effect. */
export interface UnsupportedOption extends Option<undefined> {
  /** `warned`: accepted with a warning; `refused`: rejected, but for the value that is described as default. */
  readonly verdict: 'warned' | 'refused'
}

/** An option of Besu that is rejected with a reason. */
function refused(codec: OptionCodec<unknown>, reason: string): UnsupportedOption {
  return only(codec, undefined, reason)
}

/** An option of Besu of which only the value that matches Quoin's behaviour is accepted. */
function only<T>(codec: OptionCodec<T>, accepted: T | undefined, reason: string): UnsupportedOption {
  return {
    verdict: 'refused',
    codec,
    group: 'unsupported',
    doc: reason,
    aliases: [],
    fallbackText: accepted === undefined ? undefined : codec.encode(accepted),
    required: false,
    settle(name, given) {
      if (given === undefined) return undefined
      const value = decodeValue(codec, name, given)
      if (accepted === undefined) throw usage(`Option '--${name}' is not supported: ${reason}`)
      if (value !== accepted) throw usage(`Option '--${name}' supports only ${codec.encode(accepted)}: ${reason}`)
      return undefined
    },
  }
}

interface Warned<T> {
  readonly aliases?: readonly string[]
  /** The value that is what Quoin does anyway, about which nothing needs to be said. */
  readonly same?: T
}

/** An option of Besu that tunes what Quoin does not have: accepted with a warning that says what Quoin does instead. */
function warned<T>(codec: OptionCodec<T>, instead: string, { aliases = [], same }: Warned<T> = {}): UnsupportedOption {
  return {
    verdict: 'warned',
    codec,
    group: 'unsupported',
    doc: instead,
    aliases,
    fallbackText: same === undefined ? undefined : codec.encode(same),
    required: false,
    warning: (name, given) =>
      codec.decode(given) === same ? undefined : `Option '--${name}' has no effect: ${instead}`,
    settle(name, given) {
      if (given !== undefined) decodeValue(codec, name, given)
      return undefined
    },
  }
}

const providers = oneOf(['native-pkcs11', 'sunpkcs11-jce', 'cloudhsm-jce'], 'exact case')

/** How Besu's plugin calls a hardware security module. */
const provider: typeof providers = {
  ...providers,
  decode(given) {
    const name = providers.decode(given)
    if (name !== 'cloudhsm-jce') return name
    throw badValue(`'${name}' is not supported: AWS CloudHSM gives no secrets to peers by PKCS#11, which Quoin uses`)
  },
}

type Table = Readonly<Record<string, UnsupportedOption>>

/** Options that are rejected, all for one reason. */
function allRefused(names: readonly string[], reason: string, codec: OptionCodec<unknown> = any): Table {
  return Object.fromEntries(names.map((name) => [name, refused(codec, reason)]))
}

/** Options that are accepted with one and the same warning. */
function allWarned(names: readonly string[], instead: string, codec: OptionCodec<unknown> = any): Table {
  return Object.fromEntries(names.map((name) => [name, warned(codec, instead)]))
}

const flags = (names: readonly string[], instead: string) => allWarned(names, instead, boolean)
const named = (prefix: string, names: string) => names.split(' ').map((name) => `${prefix}${name}`)

const any = text('VALUE')
const history = 'the state of every block is kept; --history-blocks limits it'
const blocks = 'all blocks are kept; --block-history limits them'
const storage = 'there is one storage format, which keeps the history of the state'
const sync = 'every block is downloaded and executed, or none before a recent one: --sync-mode=SNAP'
const downloads = 'sync sets sizes and numbers of its requests itself'
const rocksdb = 'the database is LMDB, which the system caches and which needs no settings'
const plugins = 'Java plugins are not supported; --plugin loads one in JavaScript'
const engine = 'there is no Engine API, because private networks have no consensus client'
const ethash = 'blocks are not mined by proof of work'
const ethstats = 'nothing is reported to ethstats; --metrics-enabled serves metrics to Prometheus'
const native = 'cryptography has one implementation'
const requests = 'limits of requests between peers are fixed'
const ipc = 'JSON-RPC is served over IPC where --ipc-path says'
const caches = 'caches set their size themselves'
const accessLists = 'blocks have no access lists'
const discovery = 'peers are discovered by version 4 of the protocol'
const ipv6 = '--p2p-host and --p2p-interface take IPv6 addresses too, one of either kind'
const clientCas = (server: string) =>
  `list the clients that may connect with --${server}-tls-known-clients-file, or trust CAs with --${server}-tls-ca-clients-enabled`
const gasPrices = '--api-gas-price-max alone limits eth_gasPrice'
const privacy = 'there is no older database of private transactions'
const peerTls = 'peers always speak RLPx, which is encrypted'
const pki = 'blocks carry the signatures of validators, without certificates'

/** Options of Besu that Quoin does not have: what only tunes a mechanism is accepted, what would change the network is not. */
export const unsupported: Table = {
  'rpc-reader-min-gas': warned(any, 'calls move to readers by the time that they take: --rpc-reader-min-milliseconds'),
  ...allWarned(
    named('Xsnapsync-server-', 'max-concurrent-requests max-concurrent-requests-per-peer'),
    'each peer has one request for state under way',
  ),
  'Xsnap2-enabled': warned(boolean, 'peers are offered snap/1', { same: false }),
  checkpoint: warned(any, sync),
  'sync-min-peers': warned(any, 'sync starts with the first peer', { aliases: ['fast-sync-min-peers'] }),
  ...flags(['Xcheckpoint-post-merge-enabled', 'Xsnapsync-synchronizer-flat-db-healing-enabled'], sync),
  ...allWarned(
    [
      ...named('Xsnapsync-synchronizer-', 'bytecode-count-per-request flat-account-healed-count-per-request'),
      ...named('Xsnapsync-synchronizer-', 'flat-slot-healed-count-per-request storage-count-per-request'),
      ...named('Xsnapsync-synchronizer-', 'pivot-block-distance-before-caching pivot-block-window-validity'),
      ...named('Xsnapsync-synchronizer-', 'trienode-count-per-request'),
      ...named('Xsynchronizer-', 'fast-sync-full-validation-rate fast-sync-pivot-distance'),
      ...named('Xsynchronizer-world-state-', 'hash-count-per-request max-requests-without-progress'),
      ...named('Xsynchronizer-world-state-', 'min-millis-before-stalling request-parallelism task-cache-size'),
    ],
    sync,
  ),
  ...allWarned(
    [
      ...named('Xsynchronizer-', 'block-propagation-range computation-parallelism transactions-parallelism'),
      ...named('Xsynchronizer-downloader-', 'chain-segment-size change-target-threshold-by-height'),
      ...named('Xsynchronizer-downloader-', 'change-target-threshold-by-td checkpoint-timeouts-permitted'),
      ...named('Xsynchronizer-downloader-', 'header-request-size parallelism'),
    ],
    downloads,
  ),
  'data-storage-format': warned(oneOf(['FOREST', 'BONSAI', 'X_BONSAI_ARCHIVE'], 'any case'), storage),
  'bonsai-historical-block-limit': warned(any, history, { aliases: ['bonsai-maximum-back-layers-to-load'] }),
  'Xbonsai-trie-log-pruning-enabled': warned(boolean, history, { same: false }),
  'bonsai-limit-trie-logs-enabled': warned(boolean, history, {
    aliases: ['Xbonsai-limit-trie-logs-enabled'],
    same: false,
  }),
  'bonsai-trie-logs-pruning-window-size': warned(any, history, { aliases: ['Xbonsai-trie-logs-pruning-window-size'] }),
  'bonsai-parallel-tx-processing-enabled': warned(boolean, 'the transactions of a block run one at a time', {
    aliases: ['Xbonsai-parallel-tx-processing-enabled'],
    same: false,
  }),
  'receipt-compaction-enabled': warned(boolean, storage),
  'bonsai-parallel-state-root-computation-enabled': warned(boolean, storage),
  ...flags(named('Xbonsai-', 'code-using-code-hash-enabled full-flat-db-enabled'), storage),
  'genesis-state-hash-cache-enabled': warned(boolean, 'the root of the genesis file is kept with the database'),
  ...allWarned(['history-expiry-prune', 'Xhistory-expiry-prune', 'Xpre-merge-pruning-quantity'], blocks),
  ...allWarned(named('era1-', 'data-uri import-prepipeline-concurrency import-prepipeline-enabled'), sync),
  'Xsnapsync-bft-enabled': warned(boolean, '--sync-mode=SNAP is for every network of validators', { same: false }),
  ...allWarned(
    [
      ...named('snapsync-synchronizer-', 'pre-checkpoint-headers-only-enabled transaction-indexing-enabled'),
      ...named('Xsnapsync-synchronizer-', 'pre-merge-headers-only-enabled transaction-indexing-enabled'),
      'Xsnapsync-synchronizer-pivot-block-check-interval-millis',
      'Xsynchronizer-pivot-distance',
    ],
    sync,
  ),
  ...allWarned(
    [
      ...named('Xsynchronizer-', 'backward-headers-download-step-timeout-millis header-download-parallelism-factor'),
      ...named('Xsynchronizer-', 'receipts-download-step-timeout-millis downloader-bodies-request-size'),
      'Xsynchronizer-bodies-download-step-timeout-millis',
      ...named('X', 'p2p-peer-task-timeout peertask-system-enabled'),
      'Xsynchronizer-downloader-checkpoint-RETRIES',
    ],
    downloads,
  ),
  'pruning-enabled': warned(boolean, history, { same: false }),
  ...allWarned(
    [
      ...named('Xbonsai-trie-log-', 'pruning-limit retention-threshold'),
      ...named('pruning-', 'blocks-retained block-confirmations'),
    ],
    history,
  ),
  'Xchain-pruning-enabled': warned(boolean, blocks, { same: false }),
  ...allWarned(
    named('Xchain-pruning-', 'blocks-retained blocks-retained-limit frequency bals-retained retained-minimum'),
    blocks,
  ),
  'key-value-storage': warned(any, rocksdb),
  'Xplugin-rocksdb-high-spec-enabled': warned(boolean, rocksdb),
  ...allWarned(named('Xplugin-rocksdb-', 'background-thread-count cache-capacity max-open-files'), rocksdb),
  ...allWarned(
    named('Xplugin-rocksdb-', 'blob-garbage-collection-age-cutoff blob-garbage-collection-force-threshold'),
    rocksdb,
  ),
  ...flags(
    named('Xplugin-rocksdb-', 'blockchain-blob-garbage-collection-enabled read-cache-snapshots-enabled'),
    rocksdb,
  ),
  ...allWarned(['cache-last-blocks', 'cache-last-block-headers', 'Xevm-jumpdest-cache-weight-kb'], caches),
  ...flags(['cache-last-block-headers-preload-enabled', 'cache-precompiles'], caches),
  ...allWarned(named('Xbonsai-cross-block-cache-', 'enabled account-max-size storage-max-size'), caches),
  'Xevm-optimized-opcodes': warned(any, 'there is one interpreter'),
  'Xevm-v2': warned(boolean, 'there is one interpreter', { aliases: ['Xevm-go-fast'], same: false }),
  ...flags(
    named(
      'Xbal-',
      'lenient-on-state-root-mismatch log-bals-on-mismatch optimization-enabled perfect-parallelization-enabled',
    ),
    accessLists,
  ),
  ...flags(['Xbal-state-root-enabled', 'Xbal-api-enabled', 'Xapi-block-access-list-enabled'], accessLists),
  ...allWarned(named('Xbal-', 'processing-timeout state-root-timeout trust-state-root'), accessLists),
  'version-compatibility-protection': warned(boolean, 'a database of a newer version is always refused', {
    same: true,
  }),
  'Xevm-worldstate-update-mode': warned(any, 'changes of the state are kept in one way'),
  ...allWarned(
    named('X', 'altbn128-native-enabled blake2bf-native-enabled modexp-native-enabled p256verify-native-enabled'),
    native,
    boolean,
  ),
  'Xsecp-native-enabled': warned(boolean, native, { aliases: ['Xsecp256k1-native-enabled'] }),
  ...allWarned(
    [...named('tx-pool-', 'max-prioritized max-prioritized-by-type min-score'), 'Xlayered-tx-pool-max-prioritized'],
    'the pool has no layers; --tx-pool-layer-max-capacity bounds it',
  ),
  'tx-pool-blob-price-bump': warned(any, 'a transaction with blobs is replaced at twice its prices'),
  'tx-pool-enable-balance-check': warned(boolean, 'a sender must always be able to pay', { same: true }),
  'Xlayered-tx-pool': warned(boolean, 'the pool has no layers; --tx-pool chooses which limits apply', { same: true }),
  'Xtx-pool-save-restore-timeout': warned(any, 'nothing else holds the file of the pool'),
  'tx-sender-nonce-index-enabled': warned(
    boolean,
    'eth_getTransactionBySenderAndNonce searches the history of the state, which needs no index',
    { same: true },
  ),
  'max-blobs-per-transaction': only(natural, 6, 'all nodes must take the same transactions (EIP-7594)'),
  ...allWarned(
    [
      ...['Xmax-tracked-seen-txs', 'Xmax-tracked-seen-txs-per-peer', 'Xmax-send-queue-size-per-peer'],
      'Xpeer-tracker-forget-evicted-txs',
    ],
    'what a peer has seen is remembered within fixed bounds',
  ),
  ...allWarned(
    ['Xeth65-tx-announced-buffering-period-milliseconds', 'Xincoming-tx-messages-keep-alive-seconds'],
    'transactions of peers are asked for and handled at once',
  ),
  ...allWarned(
    [
      ...['poa-block-txs-selection-max-time', 'Xpoa-block-txs-selection-max-time'],
      ...['block-txs-selection-max-time', 'Xblock-txs-selection-max-time'],
    ],
    'where full blocks come late, the next ones are made smaller until they are in time',
  ),
  'override-genesis-config': refused(list(any), 'set the values in the genesis file, which all nodes must have alike'),
  'Xqbft-enable-early-round-change': warned(boolean, 'round changes of others are followed by the rules of QBFT', {
    same: false,
  }),
  'compatibility-eth64-forkid-enabled': only(boolean, false, 'peers are distinguished by the fork id of EIP-2124'),
  'engine-rpc-enabled': warned(boolean, engine, { same: false }),
  'engine-rpc-port': warned(any, engine, { aliases: ['engine-rpc-http-port'] }),
  ...allWarned(['engine-jwt-secret'], engine),
  ...flags(['engine-jwt-disabled', 'engine-jwt-enabled'], engine),
  'engine-host-allowlist': warned(list(any), engine),
  'miner-stratum-enabled': warned(boolean, ethash, { same: false }),
  ...allWarned(
    [
      ...named('miner-stratum-', 'host port'),
      ...named('Xminer-', 'stratum-extranonce remote-sealers-limit remote-sealers-hashrate-ttl pow-job-ttl'),
      'Xmax-ommers-depth',
    ],
    ethash,
  ),
  ...allWarned(
    named(
      'Xpos-',
      'block-creation-max-time block-creation-repetition-min-duration block-finalization-timeout-ms slot-duration',
    ),
    engine,
  ),
  'discovery-dns-url': warned(any, 'peers are found by --bootnodes, --static-nodes-file and by asking other peers'),
  'poa-discovery-retry-bootnodes': warned(boolean, 'bootnodes are asked again while no other node is known'),
  'net-restrict': refused(
    any,
    'nodes of other subnets would connect; --permissions-nodes-config-file names those that may',
  ),
  ...allWarned(named('p2p-', 'host-ipv6 interface-ipv6 port-ipv6'), ipv6),
  'p2p-ipv6-outbound-enabled': warned(boolean, ipv6, { same: false }),
  'Xp2p-dns-discovery-server': warned(any, 'there is no discovery of peers by DNS'),
  'discovery-mode': warned(oneOf(['V4', 'V5', 'BOTH'], 'any case'), discovery, { same: 'V4' }),
  'Xv5-discovery-enabled': warned(boolean, discovery, { same: false }),
  ...allWarned(named('Xv5-', 'discovery-interval-seconds discovery-timeout-seconds minimum-peer-ratio'), discovery),
  'Xfilter-on-enr-fork-id': warned(boolean, 'nodes of other chains are always left out', {
    aliases: ['filter-on-enr-fork-id'],
    same: true,
  }),
  'Xp2p-peer-lower-bound': warned(any, 'connections are made until there are --max-peers'),
  ...allWarned(
    named('Xp2p-', 'check-maintained-connections-frequency initiate-connections-frequency'),
    'connections are made as soon as peers are known and tried again at growing intervals',
  ),
  ...allWarned(named('Xeth-', 'capability-max capability-min'), 'the version of eth is agreed upon with each peer'),
  ...allWarned(
    [
      'Xeth-max-message-size',
      'Xeth-max-transactions-message-size',
      ...named('Xewp-max-get-', 'bodies headers node-data pooled-transactions receipts'),
    ],
    requests,
  ),
  'Xrpc-ipc-enabled': warned(boolean, ipc, { same: false }),
  'Xin-process-rpc-enabled': warned(boolean, plugins, { same: false }),
  'Xin-process-rpc-apis': warned(list(any), plugins, { aliases: ['Xin-process-rpc-api'] }),
  'Xhttp-streaming-timeout-seconds': warned(any, '--rpc-reader-timeout-seconds limits the time of traces'),
  'Xenable-extra-debug-tracers': warned(boolean, 'tracers are always there', {
    same: true,
  }),
  'api-gas-and-priority-fee-limiting-enabled': warned(boolean, gasPrices, { same: false }),
  ...allWarned(named('api-gas-and-priority-fee-', 'lower-bound-coefficient upper-bound-coefficient'), gasPrices),
  'Xmetrics-idle-timeout': warned(any, 'idle connections are closed after a fixed time'),
  'Xmetrics-timers-enabled': warned(boolean, 'timers are always on', { same: true }),
  ...allWarned(['ethstats', 'ethstats-contact', 'ethstats-cacert-file', 'ethstats-report-interval'], ethstats),
  'plugin-hsm-provider-type': warned(provider, 'a PKCS#11 library is called as it is', { same: 'native-pkcs11' }),
  'plugin-hsm-public-key-alias': warned(any, 'the public key follows from signatures of the private one'),
  'plugin-hsm-cloudhsm-jar-path': warned(any, 'a PKCS#11 library is called as it is'),
  'plugin-hsm-ec-curve': only(
    oneOf(['secp256k1', 'secp256r1'], 'exact case'),
    'secp256k1',
    'networks with another curve are not supported',
  ),
  'Xprivacy-plugin-enabled': only(boolean, false, plugins),
  plugins: refused(list(any), plugins),
  'Xplugins-external-enabled': warned(boolean, plugins),
  'plugin-continue-on-error': warned(boolean, plugins),
  ...allWarned(['plugin-block-txs-selection-max-time', 'plugins-verification-mode'], plugins),
  'privacy-nonce-always-increments': only(
    boolean,
    false,
    'the nonce of a private transaction that fails stays, as in Besu',
  ),
  'print-paths-and-exit': refused(any, 'the log line of the start names the data path'),
  'graphql-mtls-enabled': only(boolean, false, 'use --graphql-http-tls-client-auth-enabled'),
  ...allRefused(named('graphql-tls-truststore-', 'file password-file'), clientCas('graphql-http')),
  ...allRefused(named('rpc-http-tls-truststore-', 'file password-file'), clientCas('rpc-http')),
  'privacy-enable-database-migration': only(boolean, false, privacy),
  'privacy-precompiled-address': refused(any, 'markers go to the address that Besu uses'),
  ...allRefused(
    ['rpc-ws-ssl-keystore-password', 'rpc-ws-ssl-truststore-password'],
    'other users could see it among the processes; use --rpc-ws-ssl-keystore-password-file',
  ),
  ...allRefused(
    ['rpc-ws-ssl-truststore-file', 'rpc-ws-ssl-truststore-password-file', 'rpc-ws-ssl-truststore-type'],
    'give the certificates of CAs as PEM, with --rpc-ws-ssl-trustcert-file',
  ),
  'rpc-ws-ssl-crl-file': refused(any, 'list the clients that may connect with --rpc-ws-ssl-known-clients-file'),
  'Xp2p-tls-enabled': only(boolean, false, peerTls),
  'Xp2p-tls-clienthello-sni': warned(boolean, peerTls, { same: false }),
  ...allWarned(
    [
      ...named('Xp2p-tls-', 'keystore-file keystore-password-file keystore-type'),
      ...named('Xp2p-tls-', 'truststore-file truststore-password-file truststore-type crl-file'),
    ],
    peerTls,
  ),
  'Xpki-block-creation-enabled': only(boolean, false, pki),
  ...allWarned(
    [
      ...named('Xpki-block-creation-', 'crl-file keystore-certificate-alias keystore-file keystore-password-file'),
      ...named('Xpki-block-creation-', 'keystore-type truststore-file truststore-password-file truststore-type'),
    ],
    pki,
  ),
}
