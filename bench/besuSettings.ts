// Beside free gas, what Besu's documentation advises for private networks: its enterprise profile, which 24.1 does not have as an option yet, and what
// its own measurements of QBFT networks add (wiki, "Performance Stability Permissioned Chain Testing").
export const besuSettings: readonly string[] = [
  '--tx-pool=sequenced',
  '--tx-pool-no-local-priority=true',
  '--tx-pool-limit-by-account-percentage=0.15',
  '--rpc-http-max-active-connections=300',
  '--remote-connections-limit-enabled=false',
  '--sync-min-peers=1',
  '--data-storage-format=FOREST',
  '--cache-last-blocks=32',
]

/** Options of the JVM. Its pages advise a heap of 3 GB where a node has 8 GB; the memory of a bench's machine is for several. */
export const besuJvm = '-Xmx3g'
