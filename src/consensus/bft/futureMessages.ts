import type { BftMessageLimits } from '../../forks/consensusConfig.ts'
import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'

export interface RawMessage {
  readonly code: number
  readonly data: Uint8Array
  /** Address of the node that it came from. */
  readonly from: Address | undefined
}

/** Undecoded messages of future heights. */
export interface FutureMessages {
  /** Keeps a message that is not too far ahead of the height in progress; less of senders that are not validators. */
  add(height: bigint, message: RawMessage, current: bigint, isValidator: boolean): void
  /** Returns the messages of a height, and removes them and all of earlier heights. */
  take(height: bigint): readonly RawMessage[]
}

/** Bytes of one message: what fits into a frame of RLPx, so that every block that can be proposed can be kept. */
const maxMessageBytes = 16 << 20
/** Bytes of the messages of one validator, of which the longest is one: nobody can push out what others sent. */
const maxBytes = maxMessageBytes + (2 << 20)
/** Copies of a message from this length on that several have sent are kept once. */
const longMessage = 4096
/** A node may become a validator with the next block: a few messages of a few such nodes are kept. */
const maxStrangers = 16
const maxStrangerBytes = 64 << 10

interface Kept {
  readonly height: bigint
  readonly message: RawMessage
}

/** Messages of one sender. */
interface Mailbox {
  readonly maxBytes: number
  kept: Kept[]
  bytes: number
}

const heightOrder = (a: Kept, b: Kept) => (a.height < b.height ? -1 : a.height > b.height ? 1 : 0)

export function createFutureMessages(limits: BftMessageLimits, proposalCode: number): FutureMessages {
  const { futureMessagesLimit, futureMessagesMaxDistance } = limits
  const mailboxes = new Map<string, Mailbox>()

  /** The nearest heights matter most; within one, the last proposal, without which all else is of no use, and the youngest messages. */
  function leastWanted({ kept }: Mailbox): Kept {
    const highest = kept.reduce((a, b) => (b.height > a.height ? b : a)).height
    const those = kept.filter(({ height }) => height === highest)
    const proposal = those.findLast(({ message }) => message.code === proposalCode)
    return those.find((one) => one !== proposal) ?? those[0]!
  }

  function makeRoom(mailbox: Mailbox): void {
    while (mailbox.kept.length > 1 && (mailbox.bytes > mailbox.maxBytes || mailbox.kept.length > futureMessagesLimit)) {
      const least = leastWanted(mailbox)
      mailbox.kept.splice(mailbox.kept.indexOf(least), 1)
      mailbox.bytes -= least.message.data.length
    }
  }

  /** The same bytes as somebody has sent them before: each who passes a proposal on sends all of it. */
  function once(data: Uint8Array): Uint8Array {
    if (data.length < longMessage) return data
    for (const { kept } of mailboxes.values())
      for (const { message } of kept) if (equalBytes(message.data, data)) return message.data
    return data
  }

  function strangers(): number {
    let count = 0
    for (const mailbox of mailboxes.values()) if (mailbox.maxBytes === maxStrangerBytes) count++
    return count
  }

  function open(sender: string, isValidator: boolean): Mailbox | undefined {
    const known = mailboxes.get(sender)
    if (known) return known
    if (!isValidator && strangers() >= maxStrangers) return undefined
    const mailbox = { maxBytes: isValidator ? maxBytes : maxStrangerBytes, kept: [], bytes: 0 }
    mailboxes.set(sender, mailbox)
    return mailbox
  }

  return {
    add(height, message, current, isValidator) {
      if (height > current + BigInt(futureMessagesMaxDistance)) return
      if (message.data.length > (isValidator ? maxMessageBytes : maxStrangerBytes)) return
      const mailbox = open(message.from ? keyOf(message.from) : '', isValidator)
      if (!mailbox) return
      const data = once(message.data)
      if (mailbox.kept.some((one) => one.message.data === data && one.message.code === message.code)) return
      mailbox.kept.push({ height, message: { ...message, data } })
      mailbox.bytes += message.data.length
      makeRoom(mailbox)
    },
    take(height) {
      const taken: Kept[] = []
      for (const [sender, mailbox] of mailboxes) {
        taken.push(...mailbox.kept.filter((one) => one.height === height))
        mailbox.kept = mailbox.kept.filter((one) => one.height > height)
        mailbox.bytes = mailbox.kept.reduce((sum, { message }) => sum + message.data.length, 0)
        if (mailbox.kept.length === 0) mailboxes.delete(sender)
      }
      return taken.sort(heightOrder).map(({ message }) => message)
    },
  }
}
