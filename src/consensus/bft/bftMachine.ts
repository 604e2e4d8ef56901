import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes, includesBytes, never } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { type BftHeight, createBftHeight } from './bftHeight.ts'
import { createBftReader } from './bftReader.ts'
import { decodeBftRecord, encodeBftRecord, type RestoredRecord } from './bftRecord.ts'
import { createFutureMessages, type RawMessage } from './futureMessages.ts'
import type { BftEffect, BftEvent, BftMachine, BftMachineParts, BftTimer, BftWork } from './machine.ts'
import { encodingOf } from './messageEncoding.ts'
import { createMessageRules, type MessageRules } from './messageRules.ts'
import type { BftKind, BftMessage } from './messages.ts'
import { createOwnWords } from './ownWords.ts'
import { attempt, createMessageReading, kindOf } from './readMessage.ts'

/** The height in progress, and who decides on it. */
interface Current {
  readonly parent: HashedHeader
  readonly number: bigint
  readonly validators: readonly Address[]
  /** Undefined if the validators are unknown. */
  readonly rules: MessageRules | undefined
  /** Undefined if this node is not a validator, or has finished this height. */
  readonly height: BftHeight | undefined
}

/** A message of another that this node has passed on. */
interface Passed {
  readonly author: Address
  readonly mayWait: boolean
  /** When it was passed on last. */
  at: number
  /** Those who have it: they have sent it. */
  readonly holders: Address[]
}

/** Milliseconds after the start in which messages may come that this validator signed before it: clocks differ. */
const settling = 60_000

/** Bytes of peers may be anything; undefined for what cannot be read. */
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

function perKind<T>(create: () => T): Readonly<Record<BftKind, T>> {
  return { proposal: create(), prepare: create(), commit: create(), roundChange: create() }
}

export function createBftMachine(parts: BftMachineParts): BftMachine {
  const { protocol, address, limits, createRules = createMessageRules } = parts
  const reader = createBftReader(protocol, parts.crypto, parts.knownTx)
  const { reading = createMessageReading(protocol, reader) } = parts
  // By kind: the same bytes under another code are another message.
  const seen = perKind(() => createRecentMap<string, true>(limits.duplicateMessageLimit))
  const gossiped = perKind(() => createRecentMap<string, Passed>(limits.gossipedHistoryLimit))
  const again = parts.requestTimeoutSeconds * 500
  const words = createOwnWords(address)
  const future = createFutureMessages(limits, protocol.codes.proposal)
  let signed: RestoredRecord = parts.restored
    ? decodeBftRecord(protocol, parts.restored, reader)
    : { closedHeight: 0n, record: undefined }
  /** The last height at which an earlier process may have signed, as far as it is known. */
  const signedBefore = signed.record?.height ?? signed.closedHeight
  let current: Current | undefined
  /** When this machine began. */
  let startedAt: number | undefined
  let effects: BftEffect[] = []
  const emit = (effect: BftEffect) => void effects.push(effect)

  function begin(parent: HashedHeader): Current {
    const number = parent.header.number + 1n
    const validators = parts.validatorsAfter(parent)
    if (validators.length === 0) {
      // A contract that cannot be called now may be called later; nothing else would wake this node.
      const after = parts.requestTimeoutSeconds * 1000
      emit({ type: 'timer', timer: { kind: 'block', height: number }, due: { after } })
      return { parent, number, validators, rules: undefined, height: undefined }
    }
    const { beneficiary: lastProposer } = parent.header
    const rules = createRules({ protocol, height: number, validators, lastProposer })
    if (!rules.isValidator(address)) return { parent, number, validators, rules, height: undefined }
    if (number <= signed.closedHeight) {
      emit({ type: 'closed', height: number, signed: signed.closedHeight })
      return { parent, number, validators, rules, height: undefined }
    }
    const { record } = signed
    // A record without messages only says from which height on this validator may sign.
    const resumed = record?.height === number && record.messages.length > 0 ? record : undefined
    const height = createBftHeight({ parts, reader, parent, rules, words, resumed, emit })
    return { parent, number, validators, rules, height }
  }

  function onHead(head: HashedHeader, now: number): void {
    if (current && equalBytes(current.parent.hash, head.hash)) return
    if (current && head.header.number < current.parent.header.number) stepBack(head)
    start(head, now)
  }

  function start(parent: HashedHeader, now: number): void {
    current = begin(parent)
    current.height?.start()
    for (const message of future.take(current.number)) process(current, message, now)
  }

  /** Asks again for validators that were unknown; all other timers are the height's. */
  function onTimer(timer: BftTimer, now: number): void {
    if (!current) return
    if (current.rules) current.height?.onTimer(timer, now)
    else if (timer.height === current.number) start(current.parent, now)
  }

  /** The head was set back. A validator that is alone signs again from there: nobody else can have relied on its word. */
  function stepBack({ header }: HashedHeader): void {
    if (current?.rules?.validatorCount !== 1 || header.number >= signed.closedHeight) return
    const record = { height: header.number + 1n, round: 0, digest: undefined, messages: [], prepared: undefined }
    signed = { closedHeight: header.number, record }
    emit({ type: 'persist', record: encodeBftRecord(protocol, record) })
  }

  /** Tells of what others sign with the key of this validator. What an earlier process may have signed is not looked at. */
  function watchKey({ header }: HashedHeader, message: BftMessage, { from }: RawMessage): void {
    if (header.number < signedBefore || Number(header.timestamp) * 1000 < startedAt! + settling) return
    const word = words.foreignIn(message, header.number + 1n)
    if (word) emit({ type: 'foreign', word, address: from })
  }

  /** Passes a message on before it is judged: what this node cannot use another may. */
  function gossip(raw: RawMessage, message: BftMessage, key: string, now: number): void {
    const { author, payload } = message.signed
    const known = gossiped[message.kind].use(key)
    // Proposals are long, and their authors have sent them to most; whatever comes later is waited for.
    const mayWait = message.kind === 'proposal' && payload.round === 0
    const passed = known ?? { author, mayWait, at: Number.NEGATIVE_INFINITY, holders: [author] }
    if (!known) gossiped[message.kind].set(key, passed)
    passOn(raw, passed, now)
  }

  /**
   * Authors repeat what they are not answered to: it may have been lost behind this node, so it goes again to all who have not
   * shown that they have it. The copies that come at once from everyone are no repetition.
   */
  function passOn({ code, data, from }: RawMessage, passed: Passed, now: number): void {
    const { author, mayWait, holders } = passed
    if (from && !includesBytes(holders, from)) holders.push(from)
    if (Math.abs(now - passed.at) < again) return
    passed.at = now
    emit({ type: 'gossip', code, data, author, mayWait, except: [...holders] })
  }

  /** Reads what a validator has signed, and nothing else: a stranger's message costs one signature, however long it is. */
  function process({ parent, rules, height }: Current, raw: RawMessage, now: number): void {
    const kind = kindOf(protocol, raw.code)
    // A validator that does not sign this height again still passes on what others need of each other.
    if (!kind || !rules?.isValidator(address)) return
    const key = reading.keyOf(kind, raw.data)
    if (seen[kind].use(key)) {
      const passed = gossiped[kind].use(key)
      if (passed) passOn(raw, passed, now)
      return
    }
    const author = authorOf(rules, kind, raw)
    if (!author) return
    const isOwn = equalBytes(author, address)
    const read = attempt(() => reading.read(kind, raw.data, rules.validatorCount))
    if (!('value' in read)) {
      if (!isOwn) refuse(raw, kind, read.reason)
      return
    }
    const message = read.value
    seen[kind].set(key, true)
    watchKey(parent, message, raw)
    if (isOwn) return
    const encoding = encodingOf(protocol, kind, raw.data)
    if (encoding) emit({ type: 'encoding', author, from: raw.from, encoding })
    gossip(raw, message, key, now)
    height?.receive(message, now)
  }

  /** The validator that has signed a message; others are held against the sender. */
  function authorOf(rules: MessageRules, kind: BftKind, raw: RawMessage): Address | undefined {
    const read = attempt(() => reading.authorOf(kind, raw.data))
    if (!('value' in read)) refuse(raw, kind, read.reason)
    else if (rules.isValidator(read.value)) return read.value
    else refuse(raw, kind, `its author ${toHex(read.value)} is not a validator`)
    return undefined
  }

  function refuse({ from }: RawMessage, kind: BftKind | undefined, reason: string): void {
    if (from) emit({ type: 'rubbish', address: from, kind, reason })
  }

  function receive(raw: RawMessage, now: number): void {
    if (!current) return
    const kind = kindOf(protocol, raw.code)
    const read = kind ? attempt(() => reading.heightOf(kind, raw.data)) : { reason: `no message has code ${raw.code}` }
    if (!('value' in read)) {
      refuse(raw, kind, read.reason)
      return
    }
    const number = read.value
    if (number === current.number) process(current, raw, now)
    if (number <= current.number) return
    const isValidator = raw.from !== undefined && current.rules?.isValidator(raw.from) === true
    future.add(number, raw, current.number, isValidator)
    if (raw.from) emit({ type: 'peerAhead', address: raw.from })
  }

  function act(event: BftEvent, now: number): void {
    switch (event.type) {
      case 'head':
        onHead(event.head, now)
        break
      case 'message':
        receive(event, now)
        break
      case 'timer':
        onTimer(event.timer, now)
        break
      case 'link':
        current?.height?.onLink(event.address)
        break
      default:
        never(event)
    }
  }

  /** Reads a proposal as `process` will; undefined for all other messages, and for proposals that it will not look at. */
  function foreseeProposal({ code, data }: RawMessage): BftWork | undefined {
    const { rules, height, number } = current!
    if (kindOf(protocol, code) !== 'proposal' || !rules || !height) return undefined
    if (reading.heightOf('proposal', data) !== number || seen.proposal.get(reading.keyOf('proposal', data)))
      return undefined
    const author = reading.authorOf('proposal', data)
    if (!rules.isValidator(author) || equalBytes(author, address)) return undefined
    const message = reading.read('proposal', data, rules.validatorCount)
    const block = message.kind === 'proposal' ? height.foreseeCheck(message) : undefined
    return block && { type: 'check', block }
  }

  function foresee(event: BftEvent, now: number): BftWork | undefined {
    if (event.type === 'message' && current) return foreseeProposal(event)
    const plan = event.type === 'timer' ? current?.height?.foreseeBuild(event.timer, now) : undefined
    return plan && { type: 'build', plan }
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
      startedAt ??= now
      try {
        act(event, now)
      } catch (error) {
        // What was decided before stands: timers above all, without which a validator would never speak again.
        emit({ type: 'failure', error })
      }
      return takeEffects()
    },
    foresee: (event, now) => readOrUndefined(() => foresee(event, now)),
    status() {
      if (!current) return undefined
      const { number, validators, rules, height } = current
      return {
        height: number,
        round: height?.round() ?? -1,
        isValidator: height !== undefined,
        quorum: rules?.quorum ?? 0,
        heard: () => (height ? validators.filter(height.isHeard) : []),
      }
    },
  }
}
