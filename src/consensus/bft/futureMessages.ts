import type { BftMessageLimits } from '../../forks/consensusConfig.ts'
import { type Address, keyOf } from '../../primitives/bytes.ts'

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

/** Bytes of the messages of one validator, beside one that is larger: nobody can push out what others sent. */
const maxBytes = 1 << 20
/** Bytes of one message: a block with transactions, and what justifies it. */
const maxMessageBytes = 4 << 20
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

export function createFutureMessages(limits: BftMessageLimits): FutureMessages {
  const { futureMessagesLimit, futureMessagesMaxDistance } = limits
  const mailboxes = new Map<string, Mailbox>()

  /** The nearest heights matter most; within one, the youngest messages. */
  function makeRoom(mailbox: Mailbox): void {
    while (mailbox.kept.length > 1 && (mailbox.bytes > mailbox.maxBytes || mailbox.kept.length > futureMessagesLimit)) {
      const highest = mailbox.kept.reduce((a, b) => (b.height > a.height ? b : a))
      mailbox.kept.splice(mailbox.kept.indexOf(highest), 1)
      mailbox.bytes -= highest.message.data.length
    }
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
      mailbox.kept.push({ height, message })
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
