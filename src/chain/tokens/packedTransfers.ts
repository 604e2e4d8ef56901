import { latin1Of } from '../../primitives/textOfBytes.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import type { Log } from '../../types/log.ts'
import type { StoredReceipt } from '../view.ts'
import { type TokenKind, tokenKinds, visitTransfers } from './tokenEvents.ts'

/**
 * The movements of tokens in a block. Each is the token (its address, and the kind of the event), from, to; for kinds with
 * items the item; except for ERC-721 the length of the amount and the amount without leading zeros.
 */
export type PackedTransfers = Uint8Array

const addressLength = 20
const tokenLength = addressLength + 1
const itemLength = 32
const headLength = tokenLength + 2 * addressLength
const maxEntry = headLength + itemLength + 1 + 32
/** Where an address lies in a topic. */
const padding = 12

/** Gathers movements behind one another. */
class TransferPacker {
  private bytes = new Uint8Array(1024)
  private end = 0
  private log: Log | undefined

  add(log: Log): void {
    this.log = log
    visitTransfers(log, this.visit)
  }

  private readonly visit: Parameters<typeof visitTransfers>[1] = (kind, from, to, item, amount) => {
    if (this.end + maxEntry > this.bytes.length) {
      const larger = new Uint8Array(2 * this.bytes.length)
      larger.set(this.bytes)
      this.bytes = larger
    }
    const { bytes } = this
    let at = this.end
    const { address } = this.log!
    for (let i = 0; i < addressLength; i++) bytes[at + i] = address[i]!
    bytes[at + addressLength] = kind
    at += tokenLength
    for (let i = 0; i < addressLength; i++) bytes[at + i] = from[padding + i]!
    at += addressLength
    for (let i = 0; i < addressLength; i++) bytes[at + i] = to[padding + i]!
    at += addressLength
    if (item) {
      bytes.set(item, at)
      at += itemLength
    }
    if (amount) {
      let first = 0
      while (first < amount.length && amount[first] === 0) first++
      bytes[at++] = amount.length - first
      for (let i = first; i < amount.length; i++) bytes[at++] = amount[i]!
    }
    this.end = at
  }

  packed(): PackedTransfers {
    return this.bytes.subarray(0, this.end)
  }
}

const none = new Uint8Array(0)

/** The movements of tokens in the logs of a block. */
export function packTransfers(receipts: readonly StoredReceipt[]): PackedTransfers {
  let packer: TransferPacker | undefined
  for (const { logs } of receipts)
    for (const log of logs) if (log.topics.length >= 3) (packer ??= new TransferPacker()).add(log)
  return packer?.packed() ?? none
}

/** Where the entry that begins at `at` ends. */
function endOf(packed: PackedTransfers, at: number): number {
  const kind = packed[at + addressLength]!
  const item = at + headLength
  const amount = kind === tokenKinds.erc20 ? item : item + itemLength
  return kind === tokenKinds.erc721 ? amount : amount + 1 + packed[amount]!
}

/** How many movements there are. */
export function countTransfers(packed: PackedTransfers): number {
  let count = 0
  for (let at = 0; at < packed.length; at = endOf(packed, at)) count++
  return count
}

/** One movement; what is stored by keys is text of one code unit per byte (`keyOf`). */
export interface PackedTransfer {
  /** Address and kind. */
  readonly token: string
  readonly kind: TokenKind
  readonly from: string
  readonly to: string
  /** Empty of ERC-20. */
  readonly item: string
  readonly amount: bigint
}

/** Which movements are wanted: those of one token, or those from or to one account. */
export interface TransferFilter {
  readonly token?: Uint8Array
  readonly account?: Uint8Array
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = wanted.length - 1; i >= 0; i--) if (bytes[at + i] !== wanted[i]) return false
  return true
}

function isWanted(packed: PackedTransfers, at: number, { token, account }: TransferFilter): boolean {
  if (token && !isAt(packed, at, token)) return false
  const from = at + tokenLength
  return !account || isAt(packed, from, account) || isAt(packed, from + addressLength, account)
}

/** Calls `visit` for each movement, or those that are wanted. */
export function visitPacked(
  packed: PackedTransfers,
  visit: (transfer: PackedTransfer) => void,
  filter?: TransferFilter,
): void {
  let token = ''
  let tokenAt = -1
  for (let at = 0, end = 0; at < packed.length; at = end) {
    end = endOf(packed, at)
    if (filter && !isWanted(packed, at, filter)) continue
    // Most blocks move the same few tokens again and again.
    if (tokenAt < 0 || !isAt(packed, at, packed.subarray(tokenAt, tokenAt + tokenLength)))
      token = latin1Of(packed, at, at + tokenLength)
    tokenAt = at
    const from = at + tokenLength
    const to = from + addressLength
    const item = to + addressLength
    const kind = packed[at + addressLength] as TokenKind
    const amount = kind === tokenKinds.erc20 ? item : item + itemLength
    visit({
      token,
      kind,
      from: latin1Of(packed, from, to),
      to: latin1Of(packed, to, item),
      item: kind === tokenKinds.erc20 ? '' : latin1Of(packed, item, amount),
      amount: kind === tokenKinds.erc721 ? 1n : bytesToBigInt(packed.subarray(amount + 1, end)),
    })
  }
}
