import { blobBaseFeeOf } from '../../execution/blobFee.ts'
import { blobGasOf } from '../../execution/intrinsicGas.ts'
import type { Address } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp, scalar } from '../../primitives/rlp.ts'
import { encodeTx, txHash } from '../../types/encodeTx.ts'
import { encodeReceipt } from '../../types/receipt.ts'
import { senderOf } from '../../types/signTx.ts'
import { accessListOf, blobHashesOf, effectiveGasPriceOf, priorityFeeOf, type Tx } from '../../types/transaction.ts'
import { type Fields, paidBytes, paidList, type QueryContext } from '../context.ts'
import { QueryError } from '../fault.ts'
import type { LogNode, ReceiptNode, TxNode } from '../nodes.ts'
import { accountAt, type BlockArgument } from './accountAt.ts'

/** The EIP-1559 fees; undefined for types 0 and 1. */
function feesOf(tx: Tx): { maxFee: bigint; maxPriorityFee: bigint } | undefined {
  return tx.type === 0 || tx.type === 1 ? undefined : tx
}

/** The receipt; undefined while the transaction is pending. */
function receiptOf({ place }: TxNode, { load }: QueryContext): ReceiptNode | undefined {
  return place && load.receipt(place)
}

function requireReceipt(node: TxNode, context: QueryContext): ReceiptNode {
  const receipt = receiptOf(node, context)
  if (!receipt) throw new QueryError({ code: 'NOT_MINED', hash: txHash(node.tx) })
  return receipt
}

/** The block of a transaction's accounts if the query names none. */
function ownBlock({ place }: TxNode, { load }: QueryContext) {
  return place?.block ?? load.head()
}

function createdAddress(tx: Tx): Address {
  return keccak256(encodeRlp([senderOf(tx)!, scalar(tx.nonce)])).subarray(12) as Address
}

/** The encoding inside a list: typed ones are wrapped as an RLP string. */
function wrapped(type: number, bytes: Uint8Array): Uint8Array {
  return type === 0 ? bytes : encodeRlp(bytes)
}

function logsOf(node: TxNode, { receipt, firstLogIndex }: ReceiptNode): LogNode[] {
  return receipt.logs.map((log, i) => ({ log, index: firstLogIndex + i, source: node }))
}

const baseFeeOf = ({ place }: TxNode): bigint => place!.block.header.baseFee ?? 0n

export const transactionFields: Fields<TxNode> = {
  hash: ({ tx }) => txHash(tx),
  nonce: ({ tx }) => tx.nonce,
  index: ({ place }) => place?.index,
  from: (node, args: BlockArgument, context) => accountAt(senderOf(node.tx)!, args, ownBlock(node, context), context),
  to: (node, args: BlockArgument, context) =>
    node.tx.to && accountAt(node.tx.to, args, ownBlock(node, context), context),
  value: ({ tx }) => tx.value,
  gasPrice: ({ tx }) => (tx.type === 0 || tx.type === 1 ? tx.gasPrice : 0n),
  maxFeePerGas: ({ tx }) => feesOf(tx)?.maxFee,
  maxPriorityFeePerGas: ({ tx }) => feesOf(tx)?.maxPriorityFee,
  maxFeePerBlobGas: ({ tx }) => (tx.type === 3 ? tx.maxBlobFee : undefined),
  effectiveTip: (node) => node.place && priorityFeeOf(node.tx, baseFeeOf(node)),
  gas: ({ tx }) => tx.gasLimit,
  inputData: ({ tx }, _, context) => paidBytes(tx.data, context),
  block: ({ place }) => place?.block,
  status(node, _, context) {
    const outcome = receiptOf(node, context)?.receipt.outcome
    return typeof outcome === 'number' ? outcome : undefined
  },
  gasUsed: (node, _, context) => receiptOf(node, context)?.receipt.gasUsed,
  cumulativeGasUsed: (node, _, context) => receiptOf(node, context)?.receipt.cumulativeGasUsed,
  effectiveGasPrice: (node) => node.place && effectiveGasPriceOf(node.tx, baseFeeOf(node)),
  blobGasUsed: ({ tx, place }) => (place && tx.type === 3 ? blobGasOf(tx) : undefined),
  blobGasPrice({ tx, place }, _, { load }) {
    if (!place || tx.type !== 3) return undefined
    const { header } = place.block
    return blobBaseFeeOf(header, load.chain.rulesOf(header))
  },
  createdContract(node, args: BlockArgument, context) {
    const named = (args.block ?? undefined) !== undefined
    if (node.tx.to || (!node.place && !named)) return undefined
    return accountAt(createdAddress(node.tx), args, ownBlock(node, context), context)
  },
  logs: (node, _, context, info) => paidList(logsOf(node, requireReceipt(node, context)), context, info),
  r: ({ tx }) => tx.r,
  s: ({ tx }) => tx.s,
  v: ({ tx }) => (tx.type === 0 ? tx.v : undefined),
  yParity: ({ tx }) => (tx.type === 0 ? undefined : tx.yParity),
  type: ({ tx }) => tx.type,
  accessList: ({ tx }, _, context, info) =>
    paidList(
      accessListOf(tx).map(({ address, slots }) => ({ address, storageKeys: slots })),
      context,
      info,
    ),
  raw: ({ tx }, _, context) => paidBytes(wrapped(tx.type, encodeTx(tx)), context),
  rawReceipt(node, _, context) {
    const { receipt } = requireReceipt(node, context)
    return paidBytes(wrapped(receipt.type, encodeReceipt(receipt)), context)
  },
  blobVersionedHashes: ({ tx }, _, context, info) => paidList(blobHashesOf(tx), context, info),
}
