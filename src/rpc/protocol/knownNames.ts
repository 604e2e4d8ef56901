/**
 * Method names of Besu 23.10 by namespace. A name that is known but not served here is "not enabled", any other is
 * "not found".
 */
const names = {
  admin: `addPeer changeLogLevel generateLogBloomCache logsRemoveCache logsRepairCache nodeInfo peers removePeer`,
  clique: `discard getSigners getSignersAtHash getSignerMetrics proposals propose`,
  debug: `accountAt batchSendRawTransaction getBadBlocks getRawBlock getRawHeader getRawReceipts getRawTransaction metrics
    replayBlock resyncWorldState setHead standardTraceBadBlockToFile standardTraceBlockToFile storageRangeAt traceBlock
    traceBlockByHash traceBlockByNumber traceTransaction`,
  eea: `sendRawTransaction`,
  engine: `exchangeCapabilities exchangeTransitionConfigurationV1 forkchoiceUpdatedV1 forkchoiceUpdatedV2
    forkchoiceUpdatedV3 getPayloadBodiesByHashV1 getPayloadBodiesByRangeV1 getPayloadV1 getPayloadV2 getPayloadV3
    newPayloadV1 newPayloadV2 newPayloadV3 preparePayload_debug`,
  eth: `accounts blockNumber call chainId coinbase createAccessList estimateGas feeHistory gasPrice getBalance
    getBlockByHash getBlockByNumber getBlockReceipts getBlockTransactionCountByHash getBlockTransactionCountByNumber
    getCode getFilterChanges getFilterLogs getLogs getMinerDataByBlockHash getMinerDataByBlockNumber getProof
    getStorageAt getTransactionByBlockHashAndIndex getTransactionByBlockNumberAndIndex getTransactionByHash
    getTransactionCount getTransactionReceipt getUncleByBlockHashAndIndex getUncleByBlockNumberAndIndex
    getUncleCountByBlockHash getUncleCountByBlockNumber getWork hashrate mining newBlockFilter newFilter
    newPendingTransactionFilter protocolVersion sendRawTransaction sendTransaction submitHashrate submitWork subscribe
    syncing uninstallFilter unsubscribe`,
  ibft: `discardValidatorVote getPendingVotes getSignerMetrics getValidatorsByBlockHash getValidatorsByBlockNumber
    proposeValidatorVote`,
  miner: `changeTargetGasLimit getMinGasPrice getMinPriorityFee setCoinbase setEtherbase setMinGasPrice
    setMinPriorityFee start stop`,
  net: `enode listening peerCount services version`,
  perm: `addAccountsToAllowlist addAccountsToWhitelist addNodesToAllowlist addNodesToWhitelist getAccountsAllowlist
    getAccountsWhitelist getNodesAllowlist getNodesWhitelist reloadPermissionsFromFile removeAccountsFromAllowlist
    removeAccountsFromWhitelist removeNodesFromAllowlist removeNodesFromWhitelist`,
  plugins: `reloadPluginConfig`,
  priv: `call createPrivacyGroup debugGetStateRoot deletePrivacyGroup distributeRawTransaction findPrivacyGroup getCode
    getEeaTransactionCount getFilterChanges getFilterLogs getLogs getPrivacyPrecompileAddress getPrivateTransaction
    getTransactionCount getTransactionReceipt newFilter subscribe uninstallFilter unsubscribe`,
  privx: `findFlexiblePrivacyGroup findOnchainPrivacyGroup`,
  qbft: `discardValidatorVote getPendingVotes getSignerMetrics getValidatorsByBlockHash getValidatorsByBlockNumber
    proposeValidatorVote`,
  rpc: `modules`,
  trace: `block call callMany filter get rawTransaction replayBlockTransactions transaction`,
  txpool: `besuPendingTransactions besuStatistics besuTransactions`,
  web3: `clientVersion sha3`,
} as const

export const knownNames: ReadonlySet<string> = new Set(
  Object.entries(names).flatMap(([space, list]) => list.split(/\s+/).map((name) => `${space}_${name}`)),
)

/** Methods that Besu serves but leaves out of its list: "not found" while their namespace is off. */
export const unlistedNames: ReadonlySet<string> = new Set(['debug_accountRange'])
