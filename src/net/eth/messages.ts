/** Message codes of the eth protocol. */
export const ethCodes = {
  status: 0x00,
  newBlockHashes: 0x01,
  transactions: 0x02,
  getBlockHeaders: 0x03,
  blockHeaders: 0x04,
  getBlockBodies: 0x05,
  blockBodies: 0x06,
  newBlock: 0x07,
  newPooledTransactionHashes: 0x08,
  getPooledTransactions: 0x09,
  pooledTransactions: 0x0a,
  getNodeData: 0x0d,
  nodeData: 0x0e,
  getReceipts: 0x0f,
  receipts: 0x10,
} as const
export type EthMessage = keyof typeof ethCodes

/** Versions of eth offered to peers. */
export const ethVersions = [66, 67, 68] as const
export type EthVersion = (typeof ethVersions)[number]

/** The highest supported version. */
export const maxEthVersion: number = Math.max(...ethVersions)

/** Number of message codes of each version. */
export const ethCodeCount = 17

/** Messages removed in eth/67. */
const dropped: ReadonlySet<EthMessage> = new Set<EthMessage>(['getNodeData', 'nodeData'])

/** The messages of a version by their codes. */
export function messagesOf(version: EthVersion): ReadonlyMap<number, EthMessage> {
  const names = Object.keys(ethCodes) as EthMessage[]
  return new Map(names.filter((name) => version === 66 || !dropped.has(name)).map((name) => [ethCodes[name], name]))
}
