import type { StoredReceipt } from '../../chain/view.ts'
import { rlpParts } from '../../net/eth/rlpParts.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { decodeRlp, rlpBytes } from '../../primitives/rlp.ts'
import { orderedTrieRoot } from '../../trie/orderedRoot.ts'
import type { Header } from '../../types/header.ts'
import { decodeReceipt } from '../../types/receipt.ts'

/** The encoded receipts of a list as a peer sends it: those of typed transactions are byte strings in it. */
function receiptsIn(list: Uint8Array): Uint8Array[] {
  return rlpParts(list).map((part) => (part[0]! >= 0xc0 ? part : rlpBytes(decodeRlp(part))))
}

/** The receipts of each header, as they are stored; undefined for those that the answer leaves out. Throws an RlpError if they cannot be decoded. */
export function fitReceipts(
  headers: readonly Header[],
  lists: readonly Uint8Array[],
): (readonly StoredReceipt[] | undefined)[] {
  let next = 0
  return headers.map(({ receiptsRoot }) => {
    const list = lists[next]
    const encoded = list && receiptsIn(list)
    if (!encoded || !equalBytes(orderedTrieRoot(encoded), receiptsRoot)) return undefined
    next++
    return storedFrom(encoded)
  })
}

function storedFrom(encoded: readonly Uint8Array[]): StoredReceipt[] {
  let before = 0n
  return encoded.map((bytes) => {
    const receipt = decodeReceipt(bytes)
    const gasUsed = receipt.cumulativeGasUsed - before
    before = receipt.cumulativeGasUsed
    return { ...receipt, gasUsed, revertReason: undefined }
  })
}
