import type { HashedBlock } from '../chain/view.ts'
import { type Enode, formatEnode } from '../net/enode.ts'
import { toHex } from '../primitives/hex.ts'
import { txHash } from '../types/encodeTx.ts'
import { senderOf } from '../types/signTx.ts'
import { maxGasPriceOf, type Tx } from '../types/transaction.ts'
import type { PluginBlock, PluginPeer, PluginTx } from './messages.ts'

const quantity = (n: bigint) => `0x${n.toString(16)}`

export function pluginTx(tx: Tx, isLocal: boolean): PluginTx {
  const sender = senderOf(tx)
  return {
    hash: toHex(txHash(tx)),
    from: sender ? toHex(sender) : '',
    to: tx.to ? toHex(tx.to) : null,
    value: quantity(tx.value),
    input: toHex(tx.data),
    nonce: quantity(tx.nonce),
    gas: quantity(tx.gasLimit),
    type: tx.type,
    gasPrice: quantity(maxGasPriceOf(tx)),
    isLocal,
  }
}

export function pluginPeer(enode: Enode, direction: PluginPeer['direction']): PluginPeer {
  const { id, ip, tcpPort } = enode
  return { enode: formatEnode(enode), id: toHex(id), ip, port: tcpPort, direction }
}

export function pluginBlock({ block, hash }: HashedBlock): PluginBlock {
  const { header, transactions } = block
  return {
    number: Number(header.number),
    hash: toHex(hash),
    parentHash: toHex(header.parentHash),
    timestamp: Number(header.timestamp),
    miner: toHex(header.beneficiary),
    gasUsed: Number(header.gasUsed),
    gasLimit: Number(header.gasLimit),
    transactions: transactions.map((tx) => toHex(txHash(tx))),
  }
}
