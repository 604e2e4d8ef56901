import type { EthMessage } from '../../../src/net/eth/messages.ts'
import { fromHex } from '../../../src/primitives/hex.ts'
import { decodeRlp, type RlpItem, rlpList, scalar } from '../../../src/primitives/rlp.ts'
import type { RpcNode } from '../../interop/rpcNode.ts'

/** Messages of every kind that would be right, about a block of the node's chain. */
export async function readTemplates(node: RpcNode): Promise<Record<EthMessage, RlpItem>> {
  const { number, hash } = await node.call<{ number: string; hash: string }>('eth_getBlockByNumber', 'latest', false)
  const block = decodeRlp(fromHex(await node.call<string>('debug_getRawBlock', number)))
  const [header, transactions, ommers, ...more] = rlpList(block)
  const id = scalar(7)
  const blockHash = fromHex(hash)
  const height = scalar(BigInt(number))
  const to = new Uint8Array(20).fill(1)
  const word = new Uint8Array(32).fill(2)
  const tx: RlpItem = [scalar(0), scalar(0), scalar(21_000), to, scalar(1), scalar(0), scalar(2710), word, word]
  const receipt: RlpItem = [scalar(1), scalar(21_000), new Uint8Array(256), [[to, [word], word]]]
  return {
    status: [scalar(68), scalar(1337), scalar(1), blockHash, blockHash, [new Uint8Array(4), scalar(0)]],
    newBlockHashes: [[blockHash, height]],
    transactions: [tx],
    getBlockHeaders: [id, [height, scalar(10), scalar(0), scalar(1)]],
    blockHeaders: [id, [header!]],
    getBlockBodies: [id, [blockHash, blockHash]],
    blockBodies: [id, [[transactions!, ommers!, ...more]]],
    newBlock: [block, scalar(100)],
    newPooledTransactionHashes: [Uint8Array.of(2), [scalar(100)], [blockHash]],
    getPooledTransactions: [id, [blockHash]],
    pooledTransactions: [id, [tx]],
    getNodeData: [id, [blockHash]],
    nodeData: [id, [word]],
    getReceipts: [id, [blockHash]],
    receipts: [id, [[receipt]]],
  }
}
