import {
  batchTopic,
  singleTopic,
  type TokenKind,
  transferTopic,
  visitTransfers,
} from '../../chain/tokens/tokenEvents.ts'
import type { ChainView, LogConditions, PlacedLog } from '../../chain/view.ts'
import { type Address, equalBytes, type Hash32, padLeft } from '../../primitives/bytes.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { cursorOf } from '../codecs/cursor.ts'
import type { Page } from './page.ts'
import { blockBelow, searchLogs } from './searchLogs.ts'

/** One movement of a token, in a log. */
export interface PlacedTransfer {
  readonly log: PlacedLog
  /** Position among the movements of its log: a batch has several. */
  readonly position: number
  readonly kind: TokenKind
  readonly from: Address
  readonly to: Address
  /** Undefined of ERC-20. */
  readonly item: bigint | undefined
  /** Undefined of ERC-721. */
  readonly amount: bigint | undefined
}

/** Which movements are wanted: of a token, of an account, of both, or all. */
export interface TransferQuery {
  readonly token: Address | undefined
  readonly account: Address | undefined
}

const padding = 12
const transfer = [transferTopic]
const multi = [singleTopic, batchTopic]

function conditionsOf({ token, account }: TransferQuery): readonly LogConditions[] {
  const addresses = token ? [token] : []
  if (!account) return [{ addresses, topics: [[...transfer, ...multi]] }]
  const party = [padLeft(account, 32) as Uint8Array as Hash32]
  return [
    { addresses, topics: [transfer, party] },
    { addresses, topics: [transfer, [], party] },
    { addresses, topics: [multi, [], party] },
    { addresses, topics: [multi, [], [], party] },
  ]
}

const addressIn = (topic: Hash32) => topic.subarray(padding) as Uint8Array as Address

/** The movements of a log, the last one first. */
function transfersIn(log: PlacedLog, account: Address | undefined): PlacedTransfer[] {
  const found: PlacedTransfer[] = []
  let position = 0
  visitTransfers(log, (kind, fromTopic, toTopic, item, amount) => {
    const [from, to] = [addressIn(fromTopic), addressIn(toTopic)]
    if (!account || equalBytes(from, account) || equalBytes(to, account))
      found.push({
        ...{ log, position, kind, from, to },
        item: item && bytesToBigInt(item),
        amount: amount && bytesToBigInt(amount),
      })
    position++
  })
  return found.reverse()
}

/** A page of movements, newest first. `before` is where the page before ended: a block, a log in it, a movement of that. */
export function searchTransfers(
  chain: ChainView,
  query: TransferQuery,
  size: number,
  before: readonly bigint[] | undefined,
): Page<PlacedTransfer> {
  const [block, logIndex, position] = before ?? []
  const isLater = ({ log, position: at }: PlacedTransfer) =>
    log.blockNumber === block &&
    (BigInt(log.logIndex) > logIndex! || (BigInt(log.logIndex) === logIndex && at >= position!))
  return searchLogs({
    ...{ chain, size },
    conditions: conditionsOf(query),
    from: block,
    entriesOf: (log) => transfersIn(log, query.account).filter((one) => !isLater(one)),
    cursorOf: (last) => cursorOf(last.log.blockNumber, last.log.logIndex, last.position),
    cursorBelow: (number) => cursorOf(...blockBelow(number), 0),
  })
}
