/** An option of the main command of Besu, and the versions that have it: 23.4 to 26.8.0 where nothing is said. */
export interface BesuName {
  readonly name: string
  readonly since: string | undefined
  readonly until: string | undefined
}

/** The newest version of Besu whose options are here. */
export const newestBesu = '26.8.0'

// `since..until`, then the names that are stable, hidden or experimental in these versions.
const table = `
  ..24.1.0 privacy-onchain-groups-enabled
  ..24.1.2 Xfilter-on-enr-fork-id engine-jwt-enabled
  ..24.3.3 pruning-block-confirmations pruning-blocks-retained pruning-enabled
  ..24.6.0 Xp2p-peer-lower-bound
  ..24.7.0 Xpki-block-creation-crl-file Xpki-block-creation-enabled Xpki-block-creation-keystore-certificate-alias
    Xpki-block-creation-keystore-file Xpki-block-creation-keystore-password-file Xpki-block-creation-keystore-type
    Xpki-block-creation-truststore-file Xpki-block-creation-truststore-password-file
    Xpki-block-creation-truststore-type
  ..24.10.0 Xp2p-tls-crl-file Xp2p-tls-enabled Xp2p-tls-keystore-file Xp2p-tls-keystore-password-file
    Xp2p-tls-keystore-type Xp2p-tls-truststore-file Xp2p-tls-truststore-password-file Xp2p-tls-truststore-type
  ..24.12.2 host-whitelist
  ..25.2.2 Xnat-kube-service-name
  ..25.4.0 compatibility-eth64-forkid-enabled
  ..25.5.0 Xprivacy-plugin-enabled permissions-accounts-contract-address permissions-accounts-contract-enabled
    permissions-nodes-contract-address permissions-nodes-contract-enabled permissions-nodes-contract-version
    privacy-enable-database-migration privacy-enabled privacy-flexible-groups-enabled
    privacy-marker-transaction-signing-key-file privacy-multi-tenancy-enabled privacy-public-key-file
    privacy-tls-enabled privacy-tls-keystore-file privacy-tls-keystore-password-file privacy-tls-known-enclave-file
    privacy-url
  ..25.6.0 Xminer-stratum-extranonce miner-stratum-enabled miner-stratum-host miner-stratum-port
  ..25.8.0 bonsai-maximum-back-layers-to-load
  ..25.11.0 Xmax-ommers-depth Xminer-pow-job-ttl Xminer-remote-sealers-hashrate-ttl Xminer-remote-sealers-limit
    miner-coinbase miner-enabled
  ..26.1.0 Xsynchronizer-fast-sync-full-validation-rate Xsynchronizer-fast-sync-pivot-distance fast-sync-min-peers
  ..26.4.0 Xewp-max-get-node-data
  ..26.7.1 Xv5-discovery-enabled
  .. Xaltbn128-native-enabled Xblake2bf-native-enabled Xchain-pruning-blocks-retained Xchain-pruning-enabled
    Xchain-pruning-frequency Xcheckpoint-post-merge-enabled Xdns-enabled Xdns-update-enabled Xeth-capability-max
    Xeth-capability-min Xeth-max-message-size Xeth65-tx-announced-buffering-period-milliseconds
    Xevm-jumpdest-cache-weight-kb Xewp-max-get-bodies Xewp-max-get-headers Xewp-max-get-pooled-transactions
    Xewp-max-get-receipts Xhttp-timeout-seconds Xincoming-tx-messages-keep-alive-seconds Xmetrics-idle-timeout
    Xmetrics-timers-enabled Xmodexp-native-enabled Xnat-method-fallback-enabled
    Xp2p-check-maintained-connections-frequency Xp2p-dns-discovery-server Xp2p-initiate-connections-frequency
    Xplugin-rocksdb-background-thread-count Xplugin-rocksdb-cache-capacity Xplugin-rocksdb-high-spec-enabled
    Xplugin-rocksdb-max-open-files Xpos-block-creation-max-time Xpos-block-creation-repetition-min-duration
    Xrpc-ipc-api Xrpc-ipc-apis Xrpc-ipc-enabled Xrpc-ipc-path Xsecp-native-enabled Xsecp256k1-native-enabled
    Xsnapsync-synchronizer-bytecode-count-per-request Xsnapsync-synchronizer-pivot-block-distance-before-caching
    Xsnapsync-synchronizer-pivot-block-window-validity Xsnapsync-synchronizer-storage-count-per-request
    Xsnapsync-synchronizer-trienode-count-per-request Xsynchronizer-block-propagation-range
    Xsynchronizer-computation-parallelism Xsynchronizer-downloader-chain-segment-size
    Xsynchronizer-downloader-change-target-threshold-by-height Xsynchronizer-downloader-change-target-threshold-by-td
    Xsynchronizer-downloader-checkpoint-timeouts-permitted Xsynchronizer-downloader-header-request-size
    Xsynchronizer-downloader-parallelism Xsynchronizer-transactions-parallelism
    Xsynchronizer-world-state-hash-count-per-request Xsynchronizer-world-state-max-requests-without-progress
    Xsynchronizer-world-state-min-millis-before-stalling Xsynchronizer-world-state-request-parallelism
    Xsynchronizer-world-state-task-cache-size Xws-timeout-seconds api-gas-price-blocks api-gas-price-max
    api-gas-price-percentile auto-log-bloom-caching-enabled banned-node-id banned-node-ids
    bonsai-historical-block-limit bootnodes color-enabled config-file data-path data-storage-format discovery-dns-url
    discovery-enabled engine-host-allowlist engine-jwt-disabled engine-jwt-secret engine-rpc-enabled
    engine-rpc-http-port engine-rpc-port ethstats ethstats-cacert-file ethstats-contact genesis-file
    graphql-http-cors-origins graphql-http-enabled graphql-http-host graphql-http-port host-allowlist identity
    key-value-storage kzg-trusted-setup logging max-peers metrics-categories metrics-category metrics-enabled
    metrics-host metrics-port metrics-protocol metrics-push-enabled metrics-push-host metrics-push-interval
    metrics-push-port metrics-push-prometheus-job min-block-occupancy-ratio min-gas-price miner-extra-data nat-method
    network network-id node-private-key-file override-genesis-config p2p-enabled p2p-host p2p-interface
    p2p-peer-upper-bound p2p-port permissions-accounts-config-file permissions-accounts-config-file-enabled
    permissions-nodes-config-file permissions-nodes-config-file-enabled pid-path random-peer-priority-enabled
    remote-connections-limit-enabled remote-connections-max-percentage reorg-logging-threshold required-block
    required-blocks revert-reason-enabled rpc-http-api rpc-http-api-method-no-auth rpc-http-api-methods-no-auth
    rpc-http-apis rpc-http-authentication-credentials-file rpc-http-authentication-enabled
    rpc-http-authentication-jwt-algorithm rpc-http-authentication-jwt-public-key-file rpc-http-cors-origins
    rpc-http-enabled rpc-http-host rpc-http-max-active-connections rpc-http-max-batch-size rpc-http-port
    rpc-http-tls-ca-clients-enabled rpc-http-tls-cipher-suite rpc-http-tls-cipher-suites
    rpc-http-tls-client-auth-enabled rpc-http-tls-enabled rpc-http-tls-keystore-file
    rpc-http-tls-keystore-password-file rpc-http-tls-known-clients-file rpc-http-tls-protocol rpc-http-tls-protocols
    rpc-max-logs-range rpc-tx-feecap rpc-ws-api rpc-ws-api-method-no-auth rpc-ws-api-methods-no-auth rpc-ws-apis
    rpc-ws-authentication-credentials-file rpc-ws-authentication-enabled rpc-ws-authentication-jwt-algorithm
    rpc-ws-authentication-jwt-public-key-file rpc-ws-enabled rpc-ws-host rpc-ws-max-active-connections
    rpc-ws-max-frame-size rpc-ws-port security-module static-nodes-file strict-tx-replay-protection-enabled sync-mode
    target-gas-limit tx-pool-limit-by-account-percentage tx-pool-max-size tx-pool-price-bump tx-pool-retention-hours
  23.4.1..23.7.3 Xlayered-tx-pool Xlayered-tx-pool-layer-max-capacity Xlayered-tx-pool-max-future-by-sender
    Xlayered-tx-pool-max-prioritized
  23.4.1..24.10.0 Xp2p-tls-clienthello-sni
  23.4.1..25.5.0 tx-pool-disable-locals
  23.4.1.. rpc-http-max-request-content-length tx-pool-enable-save-restore tx-pool-save-file
  23.4.2..25.5.0 Xsnapsync-synchronizer-flat-db-healing-enabled
  23.4.2.. Xsnapsync-synchronizer-flat-account-healed-count-per-request
    Xsnapsync-synchronizer-flat-slot-healed-count-per-request
  23.7.1.. json-pretty-print-enabled
  23.10.0.. tx-pool tx-pool-layer-max-capacity tx-pool-max-future-by-sender tx-pool-max-prioritized
  23.10.1.. cache-last-blocks tx-pool-no-local-priority tx-pool-priority-senders
  23.10.2..24.1.0 Xblock-txs-selection-max-time Xpoa-block-txs-selection-max-time
  23.10.2.. Xevm-worldstate-update-mode min-priority-fee
  23.10.3..24.1.2 Xbonsai-trie-log-pruning-limit Xbonsai-trie-log-retention-threshold
  23.10.3..24.7.1 Xbonsai-trie-log-pruning-enabled
  23.10.3.. api-gas-and-priority-fee-limiting-enabled api-gas-and-priority-fee-lower-bound-coefficient
    api-gas-and-priority-fee-upper-bound-coefficient rpc-gas-cap tx-pool-min-gas-price
  24.1.1.. block-txs-selection-max-time poa-block-txs-selection-max-time sync-min-peers
  24.2.0..25.6.0 Xbonsai-limit-trie-logs-enabled Xbonsai-trie-logs-pruning-window-size
  24.2.0.. Xbonsai-code-using-code-hash-enabled filter-on-enr-fork-id profile rpc-max-trace-filter-range
    version-compatibility-protection
  24.3.1..25.11.0 Xsnapsync-server-enabled
  24.3.1.. receipt-compaction-enabled
  24.5.0.. Xsynchronizer-downloader-checkpoint-RETRIES genesis-state-hash-cache-enabled tx-pool-blob-price-bump
    tx-pool-max-prioritized-by-type
  24.5.2.. Xbonsai-full-flat-db-enabled
  24.6.0..26.1.0 Xchain-pruning-blocks-retained-limit
  24.6.0.. bonsai-limit-trie-logs-enabled bonsai-trie-logs-pruning-window-size
  24.7.0.. net-restrict
  24.7.1..25.5.0 privacy-nonce-always-increments
  24.7.1..25.6.0 Xsnapsync-bft-enabled
  24.7.1..25.11.0 Xbonsai-parallel-tx-processing-enabled
  24.7.1.. poa-discovery-retry-bootnodes
  24.8.0.. Xin-process-rpc-api Xin-process-rpc-apis Xin-process-rpc-enabled
  24.9.1.. tx-pool-min-score
  24.10.0..26.4.0 Xpeertask-system-enabled
  24.10.0.. print-paths-and-exit
  24.12.0.. rpc-ws-ssl-cert-file rpc-ws-ssl-client-auth-enabled rpc-ws-ssl-enabled rpc-ws-ssl-key-file
    rpc-ws-ssl-keystore-file rpc-ws-ssl-keystore-password rpc-ws-ssl-keystore-password-file rpc-ws-ssl-keystore-type
    rpc-ws-ssl-trustcert-file rpc-ws-ssl-truststore-file rpc-ws-ssl-truststore-password
    rpc-ws-ssl-truststore-password-file rpc-ws-ssl-truststore-type
  25.1.0.. rpc-http-tls-truststore-file rpc-http-tls-truststore-password-file
  25.2.0.. Xqbft-enable-early-round-change
  25.3.0..25.5.0 Xsnapsync-synchronizer-transaction-indexing-enabled
  25.3.0.. graphql-mtls-enabled graphql-tls-enabled graphql-tls-keystore-file graphql-tls-keystore-password-file
    graphql-tls-truststore-file graphql-tls-truststore-password-file
  25.4.0.. cache-precompiles
  25.4.1.. Xmax-tracked-seen-txs-per-peer Xpeer-tracker-forget-evicted-txs
  25.5.0..25.11.0 Xsnapsync-synchronizer-pre-merge-headers-only-enabled
  25.5.0.. estimate-gas-tolerance-ratio
  25.6.0..25.11.0 Xhistory-expiry-prune
  25.6.0.. Xplugin-rocksdb-blob-garbage-collection-age-cutoff Xplugin-rocksdb-blob-garbage-collection-force-threshold
    Xplugin-rocksdb-blockchain-blob-garbage-collection-enabled Xplugin-rocksdb-read-cache-snapshots-enabled
    Xpre-merge-pruning-quantity snapsync-synchronizer-transaction-indexing-enabled
  25.7.0.. bonsai-parallel-tx-processing-enabled history-expiry-prune snapsync-server-enabled
    snapsync-synchronizer-pre-checkpoint-headers-only-enabled
  25.8.0..25.12.0 Xenable-extra-debug-tracers
  25.8.0.. Xp256verify-native-enabled era1-data-uri era1-import-prepipeline-concurrency
    era1-import-prepipeline-enabled
  25.9.0..25.11.0 Xapi-block-access-list-enabled
  25.9.0.. plugin-block-txs-selection-max-time
  25.10.0.. Xevm-optimized-opcodes Xpos-slot-duration cache-last-block-headers
    cache-last-block-headers-preload-enabled ethstats-report-interval tx-pool-enable-balance-check
  25.11.0.. Xpos-block-finalization-timeout-ms
  25.12.0..26.1.0 Xbal-api-enabled
  25.12.0..26.2.0 Xbal-optimization-enabled
  25.12.0..26.5.0 Xbal-state-root-timeout
  25.12.0..26.6.0 Xbal-lenient-on-state-root-mismatch Xbal-trust-state-root
  25.12.0.. Xbal-log-bals-on-mismatch Xeth-max-transactions-message-size
  26.1.0..26.5.0 Xbal-processing-timeout
  26.1.0.. Xbal-perfect-parallelization-enabled Xplugins-external-enabled
    bonsai-parallel-state-root-computation-enabled plugin-continue-on-error plugins plugins-verification-mode
  26.2.0.. Xchain-pruning-bals-retained Xchain-pruning-retained-minimum Xp2p-peer-task-timeout
    Xsynchronizer-backward-headers-download-step-timeout-millis Xsynchronizer-downloader-bodies-request-size
    Xsynchronizer-header-download-parallelism-factor Xsynchronizer-pivot-distance
    Xsynchronizer-receipts-download-step-timeout-millis p2p-host-ipv6 p2p-interface-ipv6 p2p-ipv6-outbound-enabled
    p2p-port-ipv6
  26.4.0.. Xevm-go-fast Xevm-v2 Xhttp-streaming-timeout-seconds Xmax-send-queue-size-per-peer Xmax-tracked-seen-txs
    Xsynchronizer-bodies-download-step-timeout-millis Xtx-pool-save-restore-timeout Xv5-discovery-interval-seconds
    Xv5-discovery-timeout-seconds Xv5-minimum-peer-ratio max-blobs-per-block max-blobs-per-transaction
  26.5.0.. Xbal-state-root-enabled
  26.6.0.. Xbft-legacy-protocol-encoding Xbonsai-cross-block-cache-account-max-size Xbonsai-cross-block-cache-enabled
    Xbonsai-cross-block-cache-storage-max-size Xsnap2-enabled
  26.6.1.. tx-sender-nonce-index-enabled
  26.7.1.. rpc-filter-timeout-seconds rpc-max-active-filters rpc-ws-max-active-subscriptions
  26.8.0.. Xsnapsync-server-max-concurrent-requests Xsnapsync-server-max-concurrent-requests-per-peer
    Xsnapsync-synchronizer-pivot-block-check-interval-millis checkpoint discovery-mode graphql-max-blocks-range
    logging-format p2p-tx-feecap rpc-max-trace-steps
`

function readTable(): BesuName[] {
  const found: BesuName[] = []
  let versions: readonly string[] = []
  for (const word of table.trim().split(/\s+/)) {
    if (word.includes('..')) versions = word.split('..')
    else found.push({ name: word, since: versions[0] || undefined, until: versions[1] || undefined })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Every option of the main command of Besu 23.4 to 26.8, by each of its long names. */
export const besuNames: readonly BesuName[] = readTable()
