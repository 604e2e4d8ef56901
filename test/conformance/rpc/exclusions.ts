/** JSON-RPC cases that are not expected to pass, and why. */
export const rpcExclusions: readonly { readonly suite: string; readonly name: RegExp; readonly reason: string }[] = [
  ...['besu-live', 'besu-rpc', 'execution-apis'].flatMap((suite) => [
    { suite, name: /(^|\/)eea_/, reason: 'method group that this version does not have' },
  ]),
  {
    suite: 'besu-live',
    name: /-block-neg$|^eth_getBlockByNumber-verbose-empty$|^eth_getProof-key(Bad|Null)$|^eth_feeHistory-percentInnerNull$/,
    reason: 'bad input on which Besu fails with -32603: we answer -32602 and say what is wrong',
  },
  {
    suite: 'besu-live',
    name: /^eth_sendRawTransaction-emptyStr$|^txpool_besuPendingTransactions-neg$|^debug_storageRangeAt-keyBad$/,
    reason: 'bad input on which Besu fails with -32603: we answer -32602 and say what is wrong',
  },
  {
    suite: 'besu-live',
    name: /^admin_logsRe(move|pair)Cache-future$/,
    reason: 'bad input on which Besu fails with -32603: we answer -32602 and say what is wrong',
  },
  {
    suite: 'besu-live',
    name: /^trace_get-(bad|firstDec|number)$|^debug_traceBlock-nonHex$/,
    reason: 'bad input on which Besu fails with -32603: we answer -32602 and say what is wrong',
  },
  {
    suite: 'besu-live',
    name: /-block-(safe|finalized)$|^(eth_(getLogs|getProof)|qbft_getSignerMetrics)-safe$/,
    reason: 'every block of a BFT network is final, and clients ask for that: we answer for the head, Besu with -39001',
  },
  {
    suite: 'besu-live',
    name: /^eth_newFilter-unknownMember$/,
    reason: 'members that are not known are ignored in filters of logs, as Besu itself does in eth_getLogs',
  },
  {
    suite: 'besu-live',
    name: /^eth_estimateGas-obj-bothDiffer$/,
    reason: 'data and input differ: Besu answers -32602 too; we also say why',
  },
  {
    suite: 'besu-live',
    name: /^trace_callMany-(carry|poor)$/,
    reason:
      'a call that cannot pay: Besu puts an error into the result of an answer that looks good; we answer with it',
  },
  {
    suite: 'besu-live',
    name: /^trace_call-all$/,
    reason: 'Besu shows what an MLOAD read as that memory was overwritten later; we show what it read',
  },
  {
    suite: 'besu-live',
    name: /^eth_getWork-/,
    reason: 'Besu fails with -32603 on networks without proof of work; we say that there is no work',
  },
  {
    suite: 'besu-live',
    name: /^eth_(maxPriorityFeePerGas|blobBaseFee)-/,
    reason: 'methods that came to Besu after 23.10 and that clients ask for; we have them',
  },
  {
    suite: 'besu-live',
    name: /^qbft_getSignerMetrics-nul$/,
    reason:
      'the specification: without parameters the last 100 blocks count, and the head is one of them; Besu leaves it out',
  },
  {
    suite: 'besu-rpc',
    name: /eth_call_invalidWithInputAndDataAttribute/,
    reason:
      'changed in Besu 24, which accepts data and input together if they are equal, as Rust tools send them; so do we',
  },
  {
    suite: 'besu-rpc',
    name: /eth_estimateGas_invalid/,
    reason: 'changed in Besu 24.1, which names the reason instead of an internal error; we do as the newer one',
  },
  {
    suite: 'besu-rpc',
    name: /eth_getMinerDataBy/,
    reason: 'the specification asks for quantities, Besu pads them to 32 bytes',
  },
  {
    suite: 'execution-apis',
    name: /debug_(getRaw(Block|Header|Receipts)|traceBlockByNumber)\/(get|trace-block)-invalid-number\.io$/,
    reason: 'the specification: a block number may be written in decimal digits',
  },
  {
    suite: 'execution-apis',
    name: /debug_getRawTransaction\/get-invalid-hash\.io$/,
    reason: 'Besu takes hexadecimal without 0x, and answers null for a transaction that it does not know',
  },
  {
    suite: 'execution-apis',
    name: /debug_traceBlockBy(Hash|Number)\//,
    reason: 'the specification and Besu give the traces themselves, geth each beside the hash of its transaction',
  },
  {
    suite: 'execution-apis',
    name: /debug_traceTransaction\/trace-unknown-tx\.io$/,
    reason: 'Besu answers null for a transaction that it does not know',
  },
  {
    suite: 'execution-apis',
    name: /^2024-cancun\/debug_getRawReceipts\/get-block-n\.io$/,
    reason: 'Besu gives typed receipts as they stand in a list: as an RLP string',
  },
  {
    suite: 'execution-apis',
    name: /default-block\.io$/,
    reason: 'Besu demands the block parameter and answers -32602 without it',
  },
  {
    suite: 'execution-apis',
    name: /eth_call\/call-callenv-options-eip1559\.io$/,
    reason: 'the specification: prices of a call count only where it says strict',
  },
  {
    suite: 'execution-apis',
    name: /eth_call\/call-revert-abi-(error|panic)\.io$|eth_estimateGas\/estimate-(failed-call|call-abi-error)\.io$/,
    reason: 'Besu reports a revert with code -32000, geth with 3',
  },
  {
    suite: 'execution-apis',
    name: /eth_createAccessList\/create-al-abi-revert\.io$/,
    reason: 'Besu answers a call that reverts with an error, geth with a list',
  },
  {
    suite: 'execution-apis',
    name: /^2024-cancun\/eth_createAccessList\//,
    reason: 'an estimate: Besu gives gas that is sure to be enough, geth what was used',
  },
  {
    suite: 'execution-apis',
    name: /eth_getBlockReceipts\/get-block-receipts-(empty|future|not-found)\.io$/,
    reason: 'Besu answers -32000 Block not found, geth null',
  },
  {
    suite: 'execution-apis',
    name: /eth_getLogs\/(filter-error-(future|reversed)-block-range|topic-wildcard)\.io$/,
    reason: 'Besu cuts ranges to the chain, and an empty list of topics matches nothing',
  },
  {
    suite: 'execution-apis',
    name: /eth_getProof\/get-account-proof-with-storage\.io$/,
    reason: 'Besu writes storage keys as bytes without leading zeros',
  },
  {
    suite: 'execution-apis',
    name: /^2024-cancun\/eth_getStorageAt\/get-storage-invalid-key-too-large\.io$/,
    reason: 'Besu answers -32602, as later versions of this suite do too',
  },
  {
    suite: 'execution-apis',
    name: /eth_simulateV1\/ethSimulate-override-ecrecover\.io$/,
    reason:
      'a precompiled contract that was moved is warm for us at its new address, cold for geth; nothing says which',
  },
  { suite: 'execution-apis', name: /testing_/, reason: 'methods for test networks, which Besu does not have' },
]
