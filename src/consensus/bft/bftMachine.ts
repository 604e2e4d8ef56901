import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes, keyOf, never } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { type BftHeight, createBftHeight } from './bftHeight.ts'
import { createBftReader } from './bftReader.ts'
import { decodeBftRecord, encodeBftRecord, type RestoredRecord } from './bftRecord.ts'
import { createFutureMessages, type RawMessage } from './futureMessages.ts'
import type { BftEffect, BftMachine, BftMachineParts } from './machine.ts'
import { createMessageRules, type MessageRules } from './messageRules.ts'
import { heightOf, kindOf, readMessage } from './readMessage.ts'

/** The height in progress, and who decides on it. */
interface Current {
  readonly parent: HashedHeader
  readonly number: bigint
  /** Undefined if the validators are unknown. */
  readonly rules: MessageRules | undefined
  /** Undefined if this node is not a validator, or has finished this height. */
  readonly height: BftHeight | undefined
}

/** Returns undefined for malformed messages of peers, which are ignored. */
function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Puts the record in front of the first message sent; effects before that need not wait for the disk. */
function withRecord(effects: readonly BftEffect[], record: Uint8Array): readonly BftEffect[] {
  const first = effects.findIndex(({ type }) => type === 'send' || type === 'import')
  const at = first < 0 ? effects.length : first
  return [...effects.slice(0, at), { type: 'persist', record }, ...effects.slice(at)]
}

export function createBftMachine(parts: BftMachineParts): BftMachine {
  const { protocol, address, limits, createRules = createMessageRules } = parts
  const reader = createBftReader(protocol, parts.crypto)
  const seen = createRecentMap<string, true>(limits.duplicateMessageLimit)
  const gossiped = createRecentMap<string, true>(limits.gossipedHistoryLimit)
  const future = createFutureMessages(limits)
  let signed: RestoredRecord = parts.restored
    ? decodeBftRecord(protocol, parts.restored, reader)
    : { closedHeight: 0n, record: undefined }
  let current: Current | undefined
  let effects: BftEffect[] = []
  const emit = (effect: BftEffect) => void effects.push(effect)

  function begin(parent: HashedHeader): Current {
    const number = parent.header.number + 1n
    const validators = parts.validatorsAfter(parent)
    if (validators.length === 0) return { parent, number, rules: undefined, height: undefined }
    const { beneficiary: lastProposer } = parent.header
    const rules = createRules({ protocol, height: number, validators, lastProposer })
    if (!rules.isValidator(address) || number <= signed.closedHeight)
      return { parent, number, rules, height: undefined }
    const resumed = signed.record?.height === number ? signed.record : undefined
    return { parent, number, rules, height: createBftHeight({ parts, reader, parent, rules, resumed, emit }) }
  }

  function onHead(head: HashedHeader, now: number): void {
    if (current && equalBytes(current.parent.hash, head.hash)) return
    current = begin(head)
    current.height?.start(now)
    for (const message of future.take(current.number)) process(current, message, now)
  }

  /** Forwards a message before it is checked: other validators may need it although this node does not. */
  function gossip({ code, data, hash, from }: RawMessage, author: Address): void {
    if (gossiped.use(keyOf(hash))) return
    gossiped.set(keyOf(hash), true)
    emit({ type: 'gossip', code, data, except: from ? [from, author] : [author] })
  }

  function process({ rules, height }: Current, raw: RawMessage, now: number): void {
    const kind = kindOf(protocol, raw.code)
    if (!kind || !rules || !height) return
    const message = readOrUndefined(() => readMessage(protocol, kind, raw.data, reader))
    if (!message) return
    const { author } = message.signed
    if (equalBytes(author, address) || !rules.isValidator(author)) return
    gossip(raw, author)
    height.receive(message, now)
  }

  function receive(raw: RawMessage, now: number): void {
    const kind = kindOf(protocol, raw.code)
    if (!kind || !current || seen.use(keyOf(raw.hash))) return
    seen.set(keyOf(raw.hash), true)
    const number = readOrUndefined(() => heightOf(protocol, kind, raw.data))
    if (number === undefined || number < current.number) return
    if (number === current.number) {
      process(current, raw, now)
      return
    }
    future.add(number, raw, current.number)
    if (raw.from) emit({ type: 'peerHeight', address: raw.from, number: number - 1n })
  }

  /** Returns the effects so far; the record of what was signed precedes the messages that contain it. */
  function takeEffects(): readonly BftEffect[] {
    const taken = effects
    effects = []
    const record = current?.height?.takeRecord()
    if (!record) return taken
    signed = { closedHeight: record.height - 1n, record }
    return withRecord(taken, encodeBftRecord(protocol, record))
  }

  return {
    handle(event, now) {
      switch (event.type) {
        case 'head':
          onHead(event.head, now)
          break
        case 'message':
          receive({ code: event.code, data: event.data, hash: keccak256(event.data), from: event.from }, now)
          break
        case 'timer':
          current?.height?.onTimer(event.timer, now)
          break
        default:
          never(event)
      }
      return takeEffects()
    },
    status: () =>
      current && {
        height: current.number,
        round: current.height?.round() ?? -1,
        isValidator: current.height !== undefined,
      },
  }
}
