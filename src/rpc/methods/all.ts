import type { Method } from '../protocol/method.ts'
import { admin_addPeer } from './admin/addPeer.ts'
import { admin_changeLogLevel } from './admin/changeLogLevel.ts'
import { admin_generateLogBloomCache } from './admin/generateLogBloomCache.ts'
import { admin_logsRemoveCache } from './admin/logsRemoveCache.ts'
import { admin_logsRepairCache } from './admin/logsRepairCache.ts'
import { admin_nodeInfo } from './admin/nodeInfo.ts'
import { admin_peers } from './admin/peers.ts'
import { admin_removePeer } from './admin/removePeer.ts'
import { anvil_autoImpersonateAccount } from './anvil/autoImpersonateAccount.ts'
import { anvil_dropTransaction } from './anvil/dropTransaction.ts'
import { anvil_getAutomine } from './anvil/getAutomine.ts'
import { anvil_impersonateAccount } from './anvil/impersonateAccount.ts'
import { anvil_mine } from './anvil/mine.ts'
import { anvil_nodeInfo } from './anvil/nodeInfo.ts'
import { anvil_reset } from './anvil/reset.ts'
import { anvil_setBalance } from './anvil/setBalance.ts'
import { anvil_setCode } from './anvil/setCode.ts'
import { anvil_setCoinbase } from './anvil/setCoinbase.ts'
import { anvil_setLoggingEnabled } from './anvil/setLoggingEnabled.ts'
import { anvil_setNextBlockBaseFeePerGas } from './anvil/setNextBlockBaseFeePerGas.ts'
import { anvil_setNonce } from './anvil/setNonce.ts'
import { anvil_setPrevRandao } from './anvil/setPrevRandao.ts'
import { anvil_setStorageAt } from './anvil/setStorageAt.ts'
import { anvil_stopImpersonatingAccount } from './anvil/stopImpersonatingAccount.ts'
import { clique_discard } from './clique/discard.ts'
import { clique_getSignerMetrics } from './clique/getSignerMetrics.ts'
import { clique_getSigners } from './clique/getSigners.ts'
import { clique_getSignersAtHash } from './clique/getSignersAtHash.ts'
import { clique_getVotes } from './clique/getVotes.ts'
import { clique_proposals } from './clique/proposals.ts'
import { clique_propose } from './clique/propose.ts'
import { debug_accountAt } from './debug/accountAt.ts'
import { debug_accountRange } from './debug/accountRange.ts'
import { debug_batchSendRawTransaction } from './debug/batchSendRawTransaction.ts'
import { debug_getBadBlocks } from './debug/getBadBlocks.ts'
import { debug_getRawBlock } from './debug/getRawBlock.ts'
import { debug_getRawHeader } from './debug/getRawHeader.ts'
import { debug_getRawReceipts } from './debug/getRawReceipts.ts'
import { debug_getRawTransaction } from './debug/getRawTransaction.ts'
import { debug_metrics } from './debug/metrics.ts'
import { debug_replayBlock } from './debug/replayBlock.ts'
import { debug_resyncWorldState, debug_resyncWorldstate } from './debug/resyncWorldstate.ts'
import { debug_setHead } from './debug/setHead.ts'
import { debug_standardTraceBadBlockToFile } from './debug/standardTraceBadBlockToFile.ts'
import { debug_standardTraceBlockToFile } from './debug/standardTraceBlockToFile.ts'
import { debug_storageRangeAt } from './debug/storageRangeAt.ts'
import { debug_traceBlock } from './debug/traceBlock.ts'
import { debug_traceBlockByHash } from './debug/traceBlockByHash.ts'
import { debug_traceBlockByNumber } from './debug/traceBlockByNumber.ts'
import { debug_traceCall } from './debug/traceCall.ts'
import { debug_traceTransaction } from './debug/traceTransaction.ts'
import { eea_sendRawTransaction } from './eea/sendRawTransaction.ts'
import { erigon_getHeaderByNumber } from './erigon/getHeaderByNumber.ts'
import { eth_accounts } from './eth/accounts.ts'
import { eth_baseFee } from './eth/baseFee.ts'
import { eth_blobBaseFee } from './eth/blobBaseFee.ts'
import { eth_blockNumber } from './eth/blockNumber.ts'
import { eth_call } from './eth/call.ts'
import { eth_callMany } from './eth/callMany.ts'
import { eth_capabilities } from './eth/capabilities.ts'
import { eth_chainId } from './eth/chainId.ts'
import { eth_coinbase } from './eth/coinbase.ts'
import { eth_config } from './eth/config.ts'
import { eth_createAccessList } from './eth/createAccessList.ts'
import { eth_estimateGas } from './eth/estimateGas.ts'
import { eth_feeHistory } from './eth/feeHistory.ts'
import { eth_gasPrice } from './eth/gasPrice.ts'
import { eth_getAccountInfo } from './eth/getAccountInfo.ts'
import { eth_getBalance } from './eth/getBalance.ts'
import { eth_getBlockAccessList } from './eth/getBlockAccessList.ts'
import { eth_getBlockByHash } from './eth/getBlockByHash.ts'
import { eth_getBlockByNumber } from './eth/getBlockByNumber.ts'
import { eth_getBlockReceipts } from './eth/getBlockReceipts.ts'
import { eth_getBlockTransactionCountByHash } from './eth/getBlockTransactionCountByHash.ts'
import { eth_getBlockTransactionCountByNumber } from './eth/getBlockTransactionCountByNumber.ts'
import { eth_getCode } from './eth/getCode.ts'
import { eth_getFilterChanges } from './eth/getFilterChanges.ts'
import { eth_getFilterLogs } from './eth/getFilterLogs.ts'
import { eth_getHeaderByHash } from './eth/getHeaderByHash.ts'
import { eth_getHeaderByNumber } from './eth/getHeaderByNumber.ts'
import { eth_getLogs } from './eth/getLogs.ts'
import { eth_getMinerDataByBlockHash } from './eth/getMinerDataByBlockHash.ts'
import { eth_getMinerDataByBlockNumber } from './eth/getMinerDataByBlockNumber.ts'
import { eth_getProof } from './eth/getProof.ts'
import { eth_getRawTransactionByBlockHashAndIndex } from './eth/getRawTransactionByBlockHashAndIndex.ts'
import { eth_getRawTransactionByBlockNumberAndIndex } from './eth/getRawTransactionByBlockNumberAndIndex.ts'
import { eth_getRawTransactionByHash } from './eth/getRawTransactionByHash.ts'
import { eth_getStorageAt } from './eth/getStorageAt.ts'
import { eth_getStorageValues } from './eth/getStorageValues.ts'
import { eth_getTransactionByBlockHashAndIndex } from './eth/getTransactionByBlockHashAndIndex.ts'
import { eth_getTransactionByBlockNumberAndIndex } from './eth/getTransactionByBlockNumberAndIndex.ts'
import { eth_getTransactionByHash } from './eth/getTransactionByHash.ts'
import { eth_getTransactionBySenderAndNonce } from './eth/getTransactionBySenderAndNonce.ts'
import { eth_getTransactionCount } from './eth/getTransactionCount.ts'
import { eth_getTransactionReceipt } from './eth/getTransactionReceipt.ts'
import { eth_getUncleByBlockHashAndIndex } from './eth/getUncleByBlockHashAndIndex.ts'
import { eth_getUncleByBlockNumberAndIndex } from './eth/getUncleByBlockNumberAndIndex.ts'
import { eth_getUncleCountByBlockHash } from './eth/getUncleCountByBlockHash.ts'
import { eth_getUncleCountByBlockNumber } from './eth/getUncleCountByBlockNumber.ts'
import { eth_getWork } from './eth/getWork.ts'
import { eth_hashrate } from './eth/hashrate.ts'
import { eth_maxPriorityFeePerGas } from './eth/maxPriorityFeePerGas.ts'
import { eth_mining } from './eth/mining.ts'
import { eth_newBlockFilter } from './eth/newBlockFilter.ts'
import { eth_newFilter } from './eth/newFilter.ts'
import { eth_newPendingTransactionFilter } from './eth/newPendingTransactionFilter.ts'
import { eth_protocolVersion } from './eth/protocolVersion.ts'
import { eth_sendRawTransaction } from './eth/sendRawTransaction.ts'
import { eth_sendTransaction } from './eth/sendTransaction.ts'
import { eth_simulateV1 } from './eth/simulateV1.ts'
import { eth_submitHashrate } from './eth/submitHashrate.ts'
import { eth_submitWork } from './eth/submitWork.ts'
import { eth_subscribe } from './eth/subscribe.ts'
import { eth_syncing } from './eth/syncing.ts'
import { eth_uninstallFilter } from './eth/uninstallFilter.ts'
import { eth_unsubscribe } from './eth/unsubscribe.ts'
import { evm_increaseTime } from './evm/increaseTime.ts'
import { evm_mine } from './evm/mine.ts'
import { evm_revert } from './evm/revert.ts'
import { evm_setAutomine } from './evm/setAutomine.ts'
import { evm_setIntervalMining } from './evm/setIntervalMining.ts'
import { evm_setNextBlockTimestamp } from './evm/setNextBlockTimestamp.ts'
import { evm_snapshot } from './evm/snapshot.ts'
import { hardhat_dropTransaction } from './hardhat/dropTransaction.ts'
import { hardhat_getAutomine } from './hardhat/getAutomine.ts'
import { hardhat_impersonateAccount } from './hardhat/impersonateAccount.ts'
import { hardhat_metadata } from './hardhat/metadata.ts'
import { hardhat_mine } from './hardhat/mine.ts'
import { hardhat_reset } from './hardhat/reset.ts'
import { hardhat_setBalance } from './hardhat/setBalance.ts'
import { hardhat_setCode } from './hardhat/setCode.ts'
import { hardhat_setCoinbase } from './hardhat/setCoinbase.ts'
import { hardhat_setLoggingEnabled } from './hardhat/setLoggingEnabled.ts'
import { hardhat_setNextBlockBaseFeePerGas } from './hardhat/setNextBlockBaseFeePerGas.ts'
import { hardhat_setNonce } from './hardhat/setNonce.ts'
import { hardhat_setPrevRandao } from './hardhat/setPrevRandao.ts'
import { hardhat_setStorageAt } from './hardhat/setStorageAt.ts'
import { hardhat_stopImpersonatingAccount } from './hardhat/stopImpersonatingAccount.ts'
import { ibft_discardValidatorVote } from './ibft/discardValidatorVote.ts'
import { ibft_getPendingVotes } from './ibft/getPendingVotes.ts'
import { ibft_getSignerMetrics } from './ibft/getSignerMetrics.ts'
import { ibft_getValidatorsByBlockHash } from './ibft/getValidatorsByBlockHash.ts'
import { ibft_getValidatorsByBlockNumber } from './ibft/getValidatorsByBlockNumber.ts'
import { ibft_getVotes } from './ibft/getVotes.ts'
import { ibft_proposeValidatorVote } from './ibft/proposeValidatorVote.ts'
import { miner_changeTargetGasLimit } from './miner/changeTargetGasLimit.ts'
import { miner_getExtraData } from './miner/getExtraData.ts'
import { miner_getMinGasPrice } from './miner/getMinGasPrice.ts'
import { miner_getMinPriorityFee } from './miner/getMinPriorityFee.ts'
import { miner_setCoinbase } from './miner/setCoinbase.ts'
import { miner_setEtherbase } from './miner/setEtherbase.ts'
import { miner_setExtraData } from './miner/setExtraData.ts'
import { miner_setMinGasPrice } from './miner/setMinGasPrice.ts'
import { miner_setMinPriorityFee } from './miner/setMinPriorityFee.ts'
import { miner_start } from './miner/start.ts'
import { miner_stop } from './miner/stop.ts'
import { net_enode } from './net/enode.ts'
import { net_listening } from './net/listening.ts'
import { net_peerCount } from './net/peerCount.ts'
import { net_services } from './net/services.ts'
import { net_version } from './net/version.ts'
import { ots_getApiLevel } from './ots/getApiLevel.ts'
import { ots_getBlockDetails } from './ots/getBlockDetails.ts'
import { ots_getBlockDetailsByHash } from './ots/getBlockDetailsByHash.ts'
import { ots_getBlockTransactions } from './ots/getBlockTransactions.ts'
import { ots_getContractCreator } from './ots/getContractCreator.ts'
import { ots_getInternalOperations } from './ots/getInternalOperations.ts'
import { ots_getTransactionBySenderAndNonce } from './ots/getTransactionBySenderAndNonce.ts'
import { ots_getTransactionError } from './ots/getTransactionError.ts'
import { ots_hasCode } from './ots/hasCode.ts'
import { ots_searchTransactionsAfter } from './ots/searchTransactionsAfter.ts'
import { ots_searchTransactionsBefore } from './ots/searchTransactionsBefore.ts'
import { ots_traceTransaction } from './ots/traceTransaction.ts'
import { perm_addAccountsToAllowlist } from './perm/addAccountsToAllowlist.ts'
import { perm_addAccountsToWhitelist } from './perm/addAccountsToWhitelist.ts'
import { perm_addNodesToAllowlist } from './perm/addNodesToAllowlist.ts'
import { perm_addNodesToWhitelist } from './perm/addNodesToWhitelist.ts'
import { perm_getAccountsAllowlist } from './perm/getAccountsAllowlist.ts'
import { perm_getAccountsWhitelist } from './perm/getAccountsWhitelist.ts'
import { perm_getContracts } from './perm/getContracts.ts'
import { perm_getNodesAllowlist } from './perm/getNodesAllowlist.ts'
import { perm_getNodesWhitelist } from './perm/getNodesWhitelist.ts'
import { perm_reloadPermissionsFromFile } from './perm/reloadPermissionsFromFile.ts'
import { perm_removeAccountsFromAllowlist } from './perm/removeAccountsFromAllowlist.ts'
import { perm_removeAccountsFromWhitelist } from './perm/removeAccountsFromWhitelist.ts'
import { perm_removeNodesFromAllowlist } from './perm/removeNodesFromAllowlist.ts'
import { perm_removeNodesFromWhitelist } from './perm/removeNodesFromWhitelist.ts'
import { priv_call } from './priv/call.ts'
import { priv_createPrivacyGroup } from './priv/createPrivacyGroup.ts'
import { priv_debugGetStateRoot } from './priv/debugGetStateRoot.ts'
import { priv_deletePrivacyGroup } from './priv/deletePrivacyGroup.ts'
import { priv_distributeRawTransaction } from './priv/distributeRawTransaction.ts'
import { priv_findPrivacyGroup } from './priv/findPrivacyGroup.ts'
import { priv_getCode } from './priv/getCode.ts'
import { priv_getEeaTransactionCount } from './priv/getEeaTransactionCount.ts'
import { priv_getFilterChanges } from './priv/getFilterChanges.ts'
import { priv_getFilterLogs } from './priv/getFilterLogs.ts'
import { priv_getLogs } from './priv/getLogs.ts'
import { priv_getPrivacyPrecompileAddress } from './priv/getPrivacyPrecompileAddress.ts'
import { priv_getPrivateTransaction } from './priv/getPrivateTransaction.ts'
import { priv_getTransactionCount } from './priv/getTransactionCount.ts'
import { priv_getTransactionReceipt } from './priv/getTransactionReceipt.ts'
import { priv_newFilter } from './priv/newFilter.ts'
import { priv_subscribe } from './priv/subscribe.ts'
import { priv_uninstallFilter } from './priv/uninstallFilter.ts'
import { priv_unsubscribe } from './priv/unsubscribe.ts'
import { privx_findFlexiblePrivacyGroup } from './privx/findFlexiblePrivacyGroup.ts'
import { privx_findOnchainPrivacyGroup } from './privx/findOnchainPrivacyGroup.ts'
import { privx_getGroups } from './privx/getGroups.ts'
import { qbft_discardValidatorVote } from './qbft/discardValidatorVote.ts'
import { qbft_getPendingVotes } from './qbft/getPendingVotes.ts'
import { qbft_getRequestTimeoutSeconds } from './qbft/getRequestTimeoutSeconds.ts'
import { qbft_getSignerMetrics } from './qbft/getSignerMetrics.ts'
import { qbft_getValidatorsByBlockHash } from './qbft/getValidatorsByBlockHash.ts'
import { qbft_getValidatorsByBlockNumber } from './qbft/getValidatorsByBlockNumber.ts'
import { qbft_getVotes } from './qbft/getVotes.ts'
import { qbft_proposeValidatorVote } from './qbft/proposeValidatorVote.ts'
import { quoin_getAddressNames } from './quoin/getAddressNames.ts'
import { quoin_getEvents } from './quoin/getEvents.ts'
import { quoin_getToken } from './quoin/getToken.ts'
import { quoin_getTokenBalances } from './quoin/getTokenBalances.ts'
import { quoin_getTokenHolders } from './quoin/getTokenHolders.ts'
import { quoin_getTokenItems } from './quoin/getTokenItems.ts'
import { quoin_getTokens } from './quoin/getTokens.ts'
import { quoin_getTokenTransfers } from './quoin/getTokenTransfers.ts'
import { rpc_discover } from './rpc/discover.ts'
import { rpc_modules } from './rpc/modules.ts'
import { trace_block } from './trace/block.ts'
import { trace_call } from './trace/call.ts'
import { trace_callMany } from './trace/callMany.ts'
import { trace_filter } from './trace/filter.ts'
import { trace_get } from './trace/get.ts'
import { trace_rawTransaction } from './trace/rawTransaction.ts'
import { trace_replayBlockTransactions } from './trace/replayBlockTransactions.ts'
import { trace_replayTransaction } from './trace/replayTransaction.ts'
import { trace_transaction } from './trace/transaction.ts'
import { txpool_besuPendingTransactions } from './txpool/besuPendingTransactions.ts'
import { txpool_besuStatistics } from './txpool/besuStatistics.ts'
import { txpool_besuTransactions } from './txpool/besuTransactions.ts'
import { txpool_content } from './txpool/content.ts'
import { txpool_contentFrom } from './txpool/contentFrom.ts'
import { txpool_inspect } from './txpool/inspect.ts'
import { txpool_status } from './txpool/status.ts'
import { web3_clientVersion } from './web3/clientVersion.ts'
import { web3_sha3 } from './web3/sha3.ts'

/** All methods, by namespace and name, which is the order of docs/rpc.md. */
export const methods: readonly Method[] = [
  admin_addPeer,
  admin_changeLogLevel,
  admin_generateLogBloomCache,
  admin_logsRemoveCache,
  admin_logsRepairCache,
  admin_nodeInfo,
  admin_peers,
  admin_removePeer,
  anvil_autoImpersonateAccount,
  anvil_dropTransaction,
  anvil_getAutomine,
  anvil_impersonateAccount,
  anvil_mine,
  anvil_nodeInfo,
  anvil_reset,
  anvil_setBalance,
  anvil_setCode,
  anvil_setCoinbase,
  anvil_setLoggingEnabled,
  anvil_setNextBlockBaseFeePerGas,
  anvil_setNonce,
  anvil_setPrevRandao,
  anvil_setStorageAt,
  anvil_stopImpersonatingAccount,
  clique_discard,
  clique_getSignerMetrics,
  clique_getSigners,
  clique_getSignersAtHash,
  clique_getVotes,
  clique_proposals,
  clique_propose,
  debug_accountAt,
  debug_accountRange,
  debug_batchSendRawTransaction,
  debug_getBadBlocks,
  debug_getRawBlock,
  debug_getRawHeader,
  debug_getRawReceipts,
  debug_getRawTransaction,
  debug_metrics,
  debug_replayBlock,
  debug_resyncWorldState,
  debug_resyncWorldstate,
  debug_setHead,
  debug_standardTraceBadBlockToFile,
  debug_standardTraceBlockToFile,
  debug_storageRangeAt,
  debug_traceBlock,
  debug_traceBlockByHash,
  debug_traceBlockByNumber,
  debug_traceCall,
  debug_traceTransaction,
  eea_sendRawTransaction,
  erigon_getHeaderByNumber,
  eth_accounts,
  eth_baseFee,
  eth_blobBaseFee,
  eth_blockNumber,
  eth_call,
  eth_callMany,
  eth_capabilities,
  eth_chainId,
  eth_coinbase,
  eth_config,
  eth_createAccessList,
  eth_estimateGas,
  eth_feeHistory,
  eth_gasPrice,
  eth_getAccountInfo,
  eth_getBalance,
  eth_getBlockAccessList,
  eth_getBlockByHash,
  eth_getBlockByNumber,
  eth_getBlockReceipts,
  eth_getBlockTransactionCountByHash,
  eth_getBlockTransactionCountByNumber,
  eth_getCode,
  eth_getFilterChanges,
  eth_getFilterLogs,
  eth_getHeaderByHash,
  eth_getHeaderByNumber,
  eth_getLogs,
  eth_getMinerDataByBlockHash,
  eth_getMinerDataByBlockNumber,
  eth_getProof,
  eth_getRawTransactionByBlockHashAndIndex,
  eth_getRawTransactionByBlockNumberAndIndex,
  eth_getRawTransactionByHash,
  eth_getStorageAt,
  eth_getStorageValues,
  eth_getTransactionByBlockHashAndIndex,
  eth_getTransactionByBlockNumberAndIndex,
  eth_getTransactionByHash,
  eth_getTransactionBySenderAndNonce,
  eth_getTransactionCount,
  eth_getTransactionReceipt,
  eth_getUncleByBlockHashAndIndex,
  eth_getUncleByBlockNumberAndIndex,
  eth_getUncleCountByBlockHash,
  eth_getUncleCountByBlockNumber,
  eth_getWork,
  eth_hashrate,
  eth_maxPriorityFeePerGas,
  eth_mining,
  eth_newBlockFilter,
  eth_newFilter,
  eth_newPendingTransactionFilter,
  eth_protocolVersion,
  eth_sendRawTransaction,
  eth_sendTransaction,
  eth_simulateV1,
  eth_submitHashrate,
  eth_submitWork,
  eth_subscribe,
  eth_syncing,
  eth_uninstallFilter,
  eth_unsubscribe,
  evm_increaseTime,
  evm_mine,
  evm_revert,
  evm_setAutomine,
  evm_setIntervalMining,
  evm_setNextBlockTimestamp,
  evm_snapshot,
  hardhat_dropTransaction,
  hardhat_getAutomine,
  hardhat_impersonateAccount,
  hardhat_metadata,
  hardhat_mine,
  hardhat_reset,
  hardhat_setBalance,
  hardhat_setCode,
  hardhat_setCoinbase,
  hardhat_setLoggingEnabled,
  hardhat_setNextBlockBaseFeePerGas,
  hardhat_setNonce,
  hardhat_setPrevRandao,
  hardhat_setStorageAt,
  hardhat_stopImpersonatingAccount,
  ibft_discardValidatorVote,
  ibft_getPendingVotes,
  ibft_getSignerMetrics,
  ibft_getValidatorsByBlockHash,
  ibft_getValidatorsByBlockNumber,
  ibft_getVotes,
  ibft_proposeValidatorVote,
  miner_changeTargetGasLimit,
  miner_getExtraData,
  miner_getMinGasPrice,
  miner_getMinPriorityFee,
  miner_setCoinbase,
  miner_setEtherbase,
  miner_setExtraData,
  miner_setMinGasPrice,
  miner_setMinPriorityFee,
  miner_start,
  miner_stop,
  net_enode,
  net_listening,
  net_peerCount,
  net_services,
  net_version,
  ots_getApiLevel,
  ots_getBlockDetails,
  ots_getBlockDetailsByHash,
  ots_getBlockTransactions,
  ots_getContractCreator,
  ots_getInternalOperations,
  ots_getTransactionBySenderAndNonce,
  ots_getTransactionError,
  ots_hasCode,
  ots_searchTransactionsAfter,
  ots_searchTransactionsBefore,
  ots_traceTransaction,
  perm_addAccountsToAllowlist,
  perm_addAccountsToWhitelist,
  perm_addNodesToAllowlist,
  perm_addNodesToWhitelist,
  perm_getAccountsAllowlist,
  perm_getAccountsWhitelist,
  perm_getContracts,
  perm_getNodesAllowlist,
  perm_getNodesWhitelist,
  perm_reloadPermissionsFromFile,
  perm_removeAccountsFromAllowlist,
  perm_removeAccountsFromWhitelist,
  perm_removeNodesFromAllowlist,
  perm_removeNodesFromWhitelist,
  priv_call,
  priv_createPrivacyGroup,
  priv_debugGetStateRoot,
  priv_deletePrivacyGroup,
  priv_distributeRawTransaction,
  priv_findPrivacyGroup,
  priv_getCode,
  priv_getEeaTransactionCount,
  priv_getFilterChanges,
  priv_getFilterLogs,
  priv_getLogs,
  priv_getPrivacyPrecompileAddress,
  priv_getPrivateTransaction,
  priv_getTransactionCount,
  priv_getTransactionReceipt,
  priv_newFilter,
  priv_subscribe,
  priv_uninstallFilter,
  priv_unsubscribe,
  privx_findFlexiblePrivacyGroup,
  privx_findOnchainPrivacyGroup,
  privx_getGroups,
  qbft_discardValidatorVote,
  qbft_getPendingVotes,
  qbft_getRequestTimeoutSeconds,
  qbft_getSignerMetrics,
  qbft_getValidatorsByBlockHash,
  qbft_getValidatorsByBlockNumber,
  qbft_getVotes,
  qbft_proposeValidatorVote,
  quoin_getAddressNames,
  quoin_getEvents,
  quoin_getToken,
  quoin_getTokenBalances,
  quoin_getTokenHolders,
  quoin_getTokenItems,
  quoin_getTokenTransfers,
  quoin_getTokens,
  rpc_discover,
  rpc_modules,
  trace_block,
  trace_call,
  trace_callMany,
  trace_filter,
  trace_get,
  trace_rawTransaction,
  trace_replayBlockTransactions,
  trace_replayTransaction,
  trace_transaction,
  txpool_besuPendingTransactions,
  txpool_besuStatistics,
  txpool_besuTransactions,
  txpool_content,
  txpool_contentFrom,
  txpool_inspect,
  txpool_status,
  web3_clientVersion,
  web3_sha3,
]
