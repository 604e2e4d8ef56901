import { type Options, optionNames } from './option.ts'
import { options } from './options.ts'
import { unsupported } from './unsupported.ts'

/**
 * Every option of the main command of Besu 23.4 to 26.2, stable, hidden or experimental, by each of its names.
 */
export const besuNames: readonly string[] = `
  Xaltbn128-native-enabled Xblake2bf-native-enabled Xbonsai-trie-log-pruning-enabled Xbonsai-trie-log-pruning-limit
  Xbonsai-trie-log-retention-threshold Xbonsai-limit-trie-logs-enabled Xbonsai-parallel-tx-processing-enabled
  Xbonsai-trie-logs-pruning-window-size Xsnapsync-server-enabled bonsai-limit-trie-logs-enabled
  bonsai-parallel-tx-processing-enabled bonsai-trie-logs-pruning-window-size filter-on-enr-fork-id
  receipt-compaction-enabled snapsync-server-enabled Xchain-pruning-blocks-retained Xchain-pruning-enabled Xchain-pruning-frequency
  Xcheckpoint-post-merge-enabled Xdns-enabled Xdns-update-enabled Xeth-capability-max Xeth-capability-min
  Xeth-max-message-size Xeth65-tx-announced-buffering-period-milliseconds Xevm-jumpdest-cache-weight-kb
  Xevm-worldstate-update-mode Xewp-max-get-bodies Xewp-max-get-headers Xewp-max-get-node-data
  Xewp-max-get-pooled-transactions Xewp-max-get-receipts Xfilter-on-enr-fork-id Xhttp-timeout-seconds
  Xincoming-tx-messages-keep-alive-seconds Xmax-ommers-depth Xmetrics-idle-timeout Xmetrics-timers-enabled
  Xminer-pow-job-ttl Xminer-remote-sealers-hashrate-ttl Xminer-remote-sealers-limit Xminer-stratum-extranonce
  Xmodexp-native-enabled Xnat-kube-service-name Xnat-method-fallback-enabled
  Xp2p-check-maintained-connections-frequency Xp2p-dns-discovery-server Xp2p-initiate-connections-frequency
  Xp2p-peer-lower-bound Xp2p-tls-clienthello-sni Xp2p-tls-crl-file Xp2p-tls-enabled Xp2p-tls-keystore-file
  Xp2p-tls-keystore-password-file Xp2p-tls-keystore-type Xp2p-tls-truststore-file Xp2p-tls-truststore-password-file
  Xp2p-tls-truststore-type Xpki-block-creation-crl-file Xpki-block-creation-enabled
  Xpki-block-creation-keystore-certificate-alias Xpki-block-creation-keystore-file
  Xpki-block-creation-keystore-password-file Xpki-block-creation-keystore-type Xpki-block-creation-truststore-file
  Xpki-block-creation-truststore-password-file Xpki-block-creation-truststore-type
  Xplugin-rocksdb-background-thread-count Xplugin-rocksdb-cache-capacity Xplugin-rocksdb-high-spec-enabled
  Xplugin-rocksdb-max-open-files Xpos-block-creation-max-time Xpos-block-creation-repetition-min-duration
  Xprivacy-plugin-enabled Xrpc-ipc-api Xrpc-ipc-apis Xrpc-ipc-enabled Xrpc-ipc-path Xsecp-native-enabled
  Xsecp256k1-native-enabled Xsnapsync-synchronizer-bytecode-count-per-request
  Xsnapsync-synchronizer-flat-account-healed-count-per-request Xsnapsync-synchronizer-flat-db-healing-enabled
  Xsnapsync-synchronizer-flat-slot-healed-count-per-request
  Xsnapsync-synchronizer-pivot-block-distance-before-caching Xsnapsync-synchronizer-pivot-block-window-validity
  Xsnapsync-synchronizer-storage-count-per-request Xsnapsync-synchronizer-trienode-count-per-request
  Xsynchronizer-block-propagation-range Xsynchronizer-computation-parallelism
  Xsynchronizer-downloader-chain-segment-size Xsynchronizer-downloader-change-target-threshold-by-height
  Xsynchronizer-downloader-change-target-threshold-by-td Xsynchronizer-downloader-checkpoint-timeouts-permitted
  Xsynchronizer-downloader-header-request-size Xsynchronizer-downloader-parallelism
  Xsynchronizer-fast-sync-full-validation-rate Xsynchronizer-fast-sync-pivot-distance
  Xsynchronizer-transactions-parallelism Xsynchronizer-world-state-hash-count-per-request
  Xsynchronizer-world-state-max-requests-without-progress Xsynchronizer-world-state-min-millis-before-stalling
  Xsynchronizer-world-state-request-parallelism Xsynchronizer-world-state-task-cache-size Xv5-discovery-enabled
  Xws-timeout-seconds api-gas-and-priority-fee-limiting-enabled api-gas-and-priority-fee-lower-bound-coefficient
  api-gas-and-priority-fee-upper-bound-coefficient api-gas-price-blocks api-gas-price-max api-gas-price-percentile
  auto-log-bloom-caching-enabled banned-node-id banned-node-ids block-txs-selection-max-time
  bonsai-historical-block-limit bonsai-maximum-back-layers-to-load bootnodes cache-last-blocks color-enabled
  compatibility-eth64-forkid-enabled config-file data-path data-storage-format discovery-dns-url discovery-enabled
  engine-host-allowlist engine-jwt-disabled engine-jwt-enabled engine-jwt-secret engine-rpc-enabled
  engine-rpc-http-port engine-rpc-port ethstats ethstats-cacert-file ethstats-contact fast-sync-min-peers
  genesis-file graphql-http-cors-origins graphql-http-enabled graphql-http-host graphql-http-port host-allowlist
  host-whitelist identity json-pretty-print-enabled key-value-storage kzg-trusted-setup logging max-peers
  metrics-categories metrics-category metrics-enabled metrics-host metrics-port metrics-protocol metrics-push-enabled
  metrics-push-host metrics-push-interval metrics-push-port metrics-push-prometheus-job min-block-occupancy-ratio
  min-gas-price min-priority-fee miner-coinbase miner-enabled miner-extra-data miner-stratum-enabled
  miner-stratum-host miner-stratum-port nat-method network network-id node-private-key-file override-genesis-config
  p2p-enabled p2p-host p2p-interface p2p-peer-upper-bound p2p-port permissions-accounts-config-file
  permissions-accounts-config-file-enabled permissions-accounts-contract-address
  permissions-accounts-contract-enabled permissions-nodes-config-file permissions-nodes-config-file-enabled
  permissions-nodes-contract-address permissions-nodes-contract-enabled permissions-nodes-contract-version pid-path
  poa-block-txs-selection-max-time privacy-enable-database-migration privacy-enabled privacy-flexible-groups-enabled
  privacy-marker-transaction-signing-key-file privacy-multi-tenancy-enabled privacy-onchain-groups-enabled
  privacy-public-key-file privacy-tls-enabled privacy-tls-keystore-file privacy-tls-keystore-password-file
  privacy-tls-known-enclave-file privacy-url pruning-block-confirmations pruning-blocks-retained pruning-enabled
  random-peer-priority-enabled remote-connections-limit-enabled remote-connections-max-percentage
  reorg-logging-threshold required-block required-blocks revert-reason-enabled rpc-gas-cap rpc-http-api
  rpc-http-api-method-no-auth rpc-http-api-methods-no-auth rpc-http-apis rpc-http-authentication-credentials-file
  rpc-http-authentication-enabled rpc-http-authentication-jwt-algorithm rpc-http-authentication-jwt-public-key-file
  rpc-http-cors-origins rpc-http-enabled rpc-http-host rpc-http-max-active-connections rpc-http-max-batch-size
  rpc-http-max-request-content-length rpc-http-port rpc-http-tls-ca-clients-enabled rpc-http-tls-cipher-suite
  rpc-http-tls-cipher-suites rpc-http-tls-client-auth-enabled rpc-http-tls-enabled rpc-http-tls-keystore-file
  rpc-http-tls-keystore-password-file rpc-http-tls-known-clients-file rpc-http-tls-protocol rpc-http-tls-protocols
  rpc-max-logs-range rpc-tx-feecap rpc-ws-api rpc-ws-api-method-no-auth rpc-ws-api-methods-no-auth rpc-ws-apis
  rpc-ws-authentication-credentials-file rpc-ws-authentication-enabled rpc-ws-authentication-jwt-algorithm
  rpc-ws-authentication-jwt-public-key-file rpc-ws-enabled rpc-ws-host rpc-ws-max-active-connections
  rpc-ws-max-frame-size rpc-ws-port security-module static-nodes-file strict-tx-replay-protection-enabled
  sync-min-peers sync-mode target-gas-limit tx-pool tx-pool-disable-locals tx-pool-enable-save-restore
  tx-pool-layer-max-capacity tx-pool-limit-by-account-percentage tx-pool-max-future-by-sender tx-pool-max-prioritized
  tx-pool-max-size tx-pool-min-gas-price tx-pool-no-local-priority tx-pool-price-bump tx-pool-priority-senders
  tx-pool-retention-hours tx-pool-save-file
  Xbft-legacy-protocol-encoding
  Xbal-lenient-on-state-root-mismatch Xbal-log-bals-on-mismatch Xbal-optimization-enabled
  Xbal-perfect-parallelization-enabled Xbal-processing-timeout Xbal-state-root-timeout Xbal-trust-state-root
  Xblock-txs-selection-max-time Xbonsai-code-using-code-hash-enabled Xbonsai-full-flat-db-enabled
  Xchain-pruning-bals-retained Xchain-pruning-blocks-retained-limit Xchain-pruning-retained-minimum
  Xeth-max-transactions-message-size Xevm-optimized-opcodes Xhistory-expiry-prune Xin-process-rpc-api
  Xin-process-rpc-apis Xin-process-rpc-enabled Xmax-tracked-seen-txs-per-peer Xp256verify-native-enabled
  Xp2p-peer-task-timeout Xpeer-tracker-forget-evicted-txs Xpeertask-system-enabled
  Xplugin-rocksdb-blob-garbage-collection-age-cutoff Xplugin-rocksdb-blob-garbage-collection-force-threshold
  Xplugin-rocksdb-blockchain-blob-garbage-collection-enabled Xplugin-rocksdb-read-cache-snapshots-enabled
  Xplugins-external-enabled Xpoa-block-txs-selection-max-time Xpos-block-finalization-timeout-ms
  Xpos-slot-duration Xpre-merge-pruning-quantity Xqbft-enable-early-round-change Xsnapsync-bft-enabled
  Xsnapsync-synchronizer-pre-merge-headers-only-enabled
  Xsynchronizer-backward-headers-download-step-timeout-millis Xsynchronizer-downloader-bodies-request-size
  Xsynchronizer-downloader-checkpoint-RETRIES Xsynchronizer-header-download-parallelism-factor
  Xsynchronizer-pivot-distance Xsynchronizer-receipts-download-step-timeout-millis
  bonsai-parallel-state-root-computation-enabled cache-last-block-headers
  cache-last-block-headers-preload-enabled cache-precompiles era1-data-uri era1-import-prepipeline-concurrency
  era1-import-prepipeline-enabled estimate-gas-tolerance-ratio ethstats-report-interval
  genesis-state-hash-cache-enabled graphql-mtls-enabled graphql-tls-enabled graphql-tls-keystore-file
  graphql-tls-keystore-password-file graphql-tls-truststore-file graphql-tls-truststore-password-file
  history-expiry-prune net-restrict p2p-host-ipv6 p2p-interface-ipv6 p2p-ipv6-outbound-enabled p2p-port-ipv6
  plugin-block-txs-selection-max-time plugin-continue-on-error plugins plugins-verification-mode
  poa-discovery-retry-bootnodes print-paths-and-exit privacy-nonce-always-increments profile
  rpc-http-tls-truststore-file rpc-http-tls-truststore-password-file rpc-max-trace-filter-range
  rpc-ws-ssl-cert-file rpc-ws-ssl-client-auth-enabled rpc-ws-ssl-enabled rpc-ws-ssl-key-file
  rpc-ws-ssl-keystore-file rpc-ws-ssl-keystore-password rpc-ws-ssl-keystore-password-file
  rpc-ws-ssl-keystore-type rpc-ws-ssl-trustcert-file rpc-ws-ssl-truststore-file rpc-ws-ssl-truststore-password
  rpc-ws-ssl-truststore-password-file rpc-ws-ssl-truststore-type
  snapsync-synchronizer-pre-checkpoint-headers-only-enabled snapsync-synchronizer-transaction-indexing-enabled
  tx-pool-blob-price-bump tx-pool-enable-balance-check tx-pool-max-prioritized-by-type tx-pool-min-score
  version-compatibility-protection
`
  .trim()
  .split(/\s+/)

/** What becomes of an option of Besu. */
export interface BesuOption {
  readonly name: string
  readonly verdict: 'honoured' | 'warned' | 'refused'
  /** What it does, what Quoin does instead, or why it is refused. */
  readonly text: string
}

const honoured = optionNames(options)
const others = optionNames(unsupported)

/** Says what becomes of an option of Besu; undefined if Quoin does not know it. */
export function findBesuOption(name: string): BesuOption | undefined {
  const own = honoured.get(name)
  if (own !== undefined) {
    const { doc } = (options as Options)[own]!
    return { name, verdict: 'honoured', text: own === name ? doc : `The same as --${own}.` }
  }
  const option = unsupported[others.get(name) ?? '']
  if (!option) return undefined
  const { verdict, doc, fallbackText } = option
  if (fallbackText === undefined) return { name, verdict, text: doc }
  return {
    name,
    verdict,
    text: `${doc} (${fallbackText} ${verdict === 'refused' ? 'is accepted' : 'needs no warning'})`,
  }
}
