import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes, never } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { type Attendance, createAttendance as createOwnAttendance } from './attendance.ts'
import { createBeat } from './beat.ts'
import { createBftReader } from './bftReader.ts'
import { decodeBftRecord, encodeBftRecord, type RestoredRecord } from './bftRecord.ts'
import { quorumOf } from './checkCommitSeals.ts'
import { createBftHeight } from './createBftHeight.ts'
import { createFutureMessages, type RawMessage } from './futureMessages.ts'
import type { BftEffect, BftEvent, BftMachine, BftMachineParts, BftTimer, BftWork } from './machine.ts'
import { type Current, isFrom, readOrUndefined, settling, withRecord } from './machineMemory.ts'
import { encodingOf } from './messageEncoding.ts'
import { createMessageMemory, type MessageMemory } from './messageMemory.ts'
import { createMessageRules, type MessageRules } from './messageRules.ts'
import type { BftKind, BftMessage } from './messages.ts'
import { createOwnWords } from './ownWords.ts'
import { attempt, createMessageReading, kindOf } from './readMessage.ts'
import { createSigning } from './signing.ts'
import { createSilence, endOf } from './silence.ts'

/** The height that is being decided, messages of later ones, and what has been signed. */
class HeightMachine implements BftMachine {
  private readonly parts: BftMachineParts
  private readonly protocol: BftMachineParts['protocol']
  private readonly address: Address
  private readonly reader: ReturnType<typeof createBftReader>
  private readonly reading: NonNullable<BftMachineParts['reading']>
  private readonly memory: MessageMemory
  private readonly words: ReturnType<typeof createOwnWords>
  private readonly signing: ReturnType<typeof createSigning>
  private readonly attendance: Attendance
  private readonly beat = createBeat()
  private readonly future: ReturnType<typeof createFutureMessages>
  private readonly silence: ReturnType<typeof createSilence>
  private signed: RestoredRecord
  /** The last height at which an earlier process may have signed, as far as it is known. */
  private readonly signedBefore: bigint
  private current: Current | undefined
  /** When this machine began. */
  private startedAt: number | undefined
  private effects: BftEffect[] = []

  constructor(parts: BftMachineParts) {
    this.parts = parts
    const { protocol, address, limits, createAttendance = createOwnAttendance } = parts
    this.protocol = protocol
    this.address = address
    this.reader = createBftReader(protocol, parts.crypto, parts.knownTx)
    this.reading = parts.reading ?? createMessageReading(protocol, this.reader)
    this.memory = createMessageMemory({ ...parts, emit: this.emit })
    this.words = createOwnWords(address)
    this.signing = createSigning(parts.crypto.sign, this.emit)
    this.attendance = createAttendance({ address, quorumOf, base: parts.requestTimeoutSeconds * 1000 })
    this.future = createFutureMessages(limits, protocol.codes.proposal)
    this.signed = parts.restored
      ? decodeBftRecord(protocol, parts.restored, this.reader)
      : { closedHeight: 0n, record: undefined }
    this.signedBefore = endOf(this.signed)
    this.silence = createSilence({ ...parts, emit: this.emit }, this.signed)
  }

  private readonly emit = (effect: BftEffect) => void this.effects.push(effect)

  private begin(parent: HashedHeader): Current {
    const [number, validators] = [parent.header.number + 1n, this.parts.validatorsAfter(parent)]
    if (validators.length === 0) {
      // A contract that cannot be called now may be called later; nothing else would wake this node.
      const after = this.parts.requestTimeoutSeconds * 1000
      this.emit({ type: 'timer', timer: { kind: 'block', height: number }, due: { after } })
      return { parent, number, validators, rules: undefined, height: undefined }
    }
    const { beneficiary: lastProposer } = parent.header
    const { createRules = createMessageRules } = this.parts
    const rules = createRules({ protocol: this.protocol, height: number, validators, lastProposer })
    const idle = { parent, number, validators, rules, height: undefined }
    if (!rules.isValidator(this.address) || this.silence.holdsOn(parent, validators.length, this.signed)) return idle
    if (number <= this.signed.closedHeight) {
      this.emit({ type: 'closed', height: number, signed: this.signed.closedHeight })
      return idle
    }
    const { record } = this.signed
    // A record without messages only says from which height on this validator may sign.
    const resumed = record?.height === number && record.messages.length > 0 ? record : undefined
    const height = createBftHeight({
      parts: this.parts,
      reader: this.reader,
      parent,
      rules,
      words: this.words,
      signing: this.signing,
      attendance: this.attendance,
      beat: this.beat,
      resumed,
      emit: this.emit,
    })
    return { parent, number, validators, rules, height }
  }

  private onHead(head: HashedHeader, now: number): void {
    if (this.current && equalBytes(this.current.parent.hash, head.hash)) return
    if (this.current && head.header.number < this.current.parent.header.number) this.stepBack(head)
    this.start(head, now)
  }

  private start(parent: HashedHeader, now: number): void {
    this.signing.clear()
    this.current = this.begin(parent)
    if (this.current.height) this.attendance.begin(this.current.number, this.current.validators)
    this.current.height?.start(now)
    for (const message of this.future.take(this.current.number)) this.process(this.current, message, now)
  }

  /** Asks again for validators that were unknown, or takes part after a silence; all other timers are the height's. */
  private onTimer(timer: BftTimer, now: number): void {
    if (this.current?.height) this.current.height.onTimer(timer, now)
    else if (timer.height === this.current?.number) {
      this.silence.relent()
      this.start(this.current.parent, now)
    }
  }

  /** The head was set back. A validator that is alone signs again from there: nobody else can have relied on its word. */
  private stepBack({ header }: HashedHeader): void {
    if (this.current?.rules?.validatorCount !== 1 || header.number >= this.signed.closedHeight) return
    const record = { height: header.number + 1n, round: 0, digest: undefined, messages: [], prepared: undefined }
    this.signed = { closedHeight: header.number, record }
    this.emit({ type: 'persist', record: encodeBftRecord(this.protocol, record) })
  }

  /** Tells of what others sign with the key of this validator. What an earlier process may have signed is not looked at. */
  private watchKey({ header }: HashedHeader, message: BftMessage, { from }: RawMessage): void {
    if (header.number < this.signedBefore || Number(header.timestamp) * 1000 < this.startedAt! + settling) return
    const word = this.words.foreignIn(message, header.number + 1n)
    if (word) this.emit({ type: 'foreign', word, address: from })
  }

  /** Reads what a validator has signed, and nothing else: a stranger's message costs one signature, however long it is. */
  private process({ parent, number, rules, height }: Current, raw: RawMessage, now: number): void {
    const kind = kindOf(this.protocol, raw.code)
    // A validator that does not sign this height again still passes on what others need of each other.
    if (!kind || !rules?.isValidator(this.address)) return
    const key = this.reading.keyOf(kind, raw.data)
    if (this.memory.isAgain(kind, key, raw, now)) return
    const author = this.authorOf(rules, kind, raw)
    if (!author) return
    const isOwn = equalBytes(author, this.address)
    this.attendance.hear(author, number)
    const read = attempt(() => this.reading.read(kind, raw.data, rules.validatorCount))
    if (!('value' in read)) {
      if (!isOwn) this.onUnreadable(raw, kind, author, read.reason, now)
      return
    }
    const message = read.value
    this.memory.note(kind, key)
    this.watchKey(parent, message, raw)
    if (isOwn) return
    const encoding = encodingOf(this.protocol, kind, raw.data)
    if (encoding) this.emit({ type: 'encoding', author, from: raw.from, encoding })
    this.memory.gossip(raw, message, key, now)
    height?.receive(message, now, isFrom(raw, author))
  }

  /** A proposal that its author has sent itself is proof against it, even if nobody can read it. */
  private onUnreadable(raw: RawMessage, kind: BftKind, author: Address, reason: string, now: number): void {
    this.refuse(raw, kind, reason)
    if (kind !== 'proposal' || !isFrom(raw, author)) return
    const round = attempt(() => this.reading.roundOf(kind, raw.data))
    if ('value' in round) this.current?.height?.receiveUnreadable(author, round.value, reason, now)
  }

  /** The validator that has signed a message; others are held against the sender. */
  private authorOf(rules: MessageRules, kind: BftKind, raw: RawMessage): Address | undefined {
    const read = attempt(() => this.reading.authorOf(kind, raw.data))
    if (!('value' in read)) this.refuse(raw, kind, read.reason)
    else if (rules.isValidator(read.value)) return read.value
    else this.refuse(raw, kind, `its author ${toHex(read.value)} is not a validator`)
    return undefined
  }

  private refuse({ from }: RawMessage, kind: BftKind | undefined, reason: string): void {
    if (from) this.emit({ type: 'rubbish', address: from, kind, reason })
  }

  private receive(raw: RawMessage, now: number): void {
    if (!this.current) return
    const kind = kindOf(this.protocol, raw.code)
    const read = kind
      ? attempt(() => this.reading.heightOf(kind, raw.data))
      : { reason: `no message has code ${raw.code}` }
    if (!('value' in read)) {
      this.refuse(raw, kind, read.reason)
      return
    }
    const number = read.value
    if (raw.from) this.attendance.hear(raw.from, number)
    if (number === this.current.number) this.process(this.current, raw, now)
    else if (kind === 'proposal') this.noteLate(raw, number, now)
    if (number <= this.current.number) return
    const isValidator = raw.from !== undefined && this.current.rules?.isValidator(raw.from) === true
    this.future.add(number, raw, this.current.number, isValidator)
    if (raw.from) this.emit({ type: 'peerAhead', address: raw.from })
  }

  /** Whose turn was passed over although it was only late is given more time when its next turn comes. */
  private noteLate({ data }: RawMessage, height: bigint, now: number): void {
    if (!this.attendance.hasMissed(height)) return
    const author = attempt(() => this.reading.authorOf('proposal', data))
    if ('value' in author) this.attendance.late(author.value, height, now)
  }

  private act(event: BftEvent, now: number): void {
    switch (event.type) {
      case 'head':
        this.onHead(event.head, now)
        break
      case 'message':
        this.receive(event, now)
        break
      case 'timer':
        this.onTimer(event.timer, now)
        break
      case 'link':
        this.attendance.link(event.address)
        this.current?.height?.onLink(event.address)
        break
      case 'unlink':
        this.attendance.unlink(event.address)
        break
      case 'signed':
        this.signing.take(event.id, event.signature)
        break
      default:
        never(event)
    }
  }

  /** Reads a proposal as `process` will; undefined for all other messages, and for proposals that it will not look at. */
  private foreseeProposal({ code, data }: RawMessage): BftWork | undefined {
    const { rules, height, number } = this.current!
    if (kindOf(this.protocol, code) !== 'proposal' || !rules || !height) return undefined
    if (
      this.reading.heightOf('proposal', data) !== number ||
      this.memory.isKnown('proposal', this.reading.keyOf('proposal', data))
    )
      return undefined
    const author = this.reading.authorOf('proposal', data)
    if (!rules.isValidator(author) || equalBytes(author, this.address)) return undefined
    const message = this.reading.read('proposal', data, rules.validatorCount)
    const block = message.kind === 'proposal' ? height.foreseeCheck(message) : undefined
    return block && { type: 'check', block }
  }

  private foreseeWork(event: BftEvent, now: number): BftWork | undefined {
    if (event.type === 'message' && this.current) return this.foreseeProposal(event)
    const plan = event.type === 'timer' ? this.current?.height?.foreseeBuild(event.timer, now) : undefined
    return plan && { type: 'build', plan }
  }

  /** Returns the effects so far; the record of what was signed precedes the messages that contain it. */
  private takeEffects(): readonly BftEffect[] {
    const taken = this.effects
    this.effects = []
    const record = this.current?.height?.takeRecord()
    if (!record) return taken
    this.signed = { closedHeight: record.height - 1n, record }
    return withRecord(taken, encodeBftRecord(this.protocol, record))
  }

  readonly handle: BftMachine['handle'] = (event, now) => {
    this.startedAt ??= now
    try {
      this.act(event, now)
    } catch (error) {
      // What was decided before stands: timers above all, without which a validator would never speak again.
      this.emit({ type: 'failure', error })
    }
    return this.takeEffects()
  }

  readonly foresee: BftMachine['foresee'] = (event, now) => readOrUndefined(() => this.foreseeWork(event, now))

  readonly awaits: BftMachine['awaits'] = (id) => this.signing.awaits(id)

  readonly status: BftMachine['status'] = () => {
    if (!this.current) return undefined
    const { number, validators, rules, height } = this.current
    return {
      height: number,
      round: height?.round() ?? -1,
      isValidator: height !== undefined,
      quorum: rules?.quorum ?? 0,
      heard: () => (height ? validators.filter(height.isHeard) : []),
    }
  }
}

export function createBftMachine(parts: BftMachineParts): BftMachine {
  return new HeightMachine(parts)
}
