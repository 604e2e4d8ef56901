/** Messages of eth and their codes. */
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

/** Versions that are spoken, all at once: the peer picks. */
export const ethVersions = [66, 67, 68] as const
export type EthVersion = (typeof ethVersions)[number]

/** The highest version that is spoken. */
export const maxEthVersion: number = Math.max(...ethVersions)

/** Codes that each version reserves in a connection. */
export const ethCodeCount = 17

/** Messages that ended with eth/66. */
const dropped: ReadonlySet<EthMessage> = new Set<EthMessage>(['getNodeData', 'nodeData'])

/** The messages of a version by their codes. */
export function messagesOf(version: EthVersion): ReadonlyMap<number, EthMessage> {
  const names = Object.keys(ethCodes) as EthMessage[]
  return new Map(names.filter((name) => version === 66 || !dropped.has(name)).map((name) => [ethCodes[name], name]))
}
