import type { HashedHeader } from '../../src/chain/view.ts'
import { bftBlockHash, bftCommitHash } from '../../src/consensus/bft/bftHash.ts'
import { createBftMachine } from '../../src/consensus/bft/bftMachine.ts'
import { createBftReader } from '../../src/consensus/bft/bftReader.ts'
import { quorumOf } from '../../src/consensus/bft/checkCommitSeals.ts'
import type { BftVote } from '../../src/consensus/bft/extraData.ts'
import type {
  BftBlockPlan,
  BftCrypto,
  BftEffect,
  BftEvent,
  BftMachine,
  BftTimer,
  BftTiming,
  BftWork,
  BlockFlaw,
} from '../../src/consensus/bft/machine.ts'
import { type BftEncoding, encodingOf, inEncoding } from '../../src/consensus/bft/messageEncoding.ts'
import { createMessageGossip } from '../../src/consensus/bft/messageGossip.ts'
import { createMessageOutlet } from '../../src/consensus/bft/messageOutlet.ts'
import type { BftKind, BftMessage } from '../../src/consensus/bft/messages.ts'
import { createPeerEncodings } from '../../src/consensus/bft/peerEncodings.ts'
import { proposedExtraData } from '../../src/consensus/bft/proposedExtraData.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { kindOf, readMessage } from '../../src/consensus/bft/readMessage.ts'
import { sealLength } from '../../src/consensus/recoverSeal.ts'
import { defaultMessageLimits } from '../../src/forks/consensusConfig.ts'
import { type Address, concatBytes, equalBytes, keyOf, toAddress } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { curve, recoverAddress } from '../../src/primitives/secp256k1.ts'
import type { Clock } from '../../src/system/clock.ts'
import type { Block } from '../../src/types/block.ts'
import { bftMixHash, blankHeader } from '../../src/types/header.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { type Authority, authorities } from './authorityChain.ts'

/** Signatures with a key, as the node has them. */
export function cryptoOf({ key }: Authority): BftCrypto {
  return {
    sign(digest) {
      const { rs, parity } = curve.sign(digest, key)
      return concatBytes(rs, Uint8Array.of(parity))
    },
    recover: (digest, signature) =>
      signature[64]! > 1
        ? undefined
        : recoverAddress(digest, signature.subarray(0, 32), signature.subarray(32, 64), signature[64]!),
  }
}

/** Signatures that cost nothing and that anyone could make: whose they are, and of what. */
export function cheapCryptoOf({ address }: Authority): BftCrypto {
  return {
    sign: (digest) => concatBytes(address, digest, new Uint8Array(sealLength - 52)),
    recover: (digest, signature) =>
      equalBytes(signature.subarray(20, 52), digest) ? toAddress(signature.slice(0, 20)) : undefined,
  }
}

/** Finds validators that contradict themselves in what they send. */
export function createWitness() {
  const words = new Map<string, string>()
  const rounds = new Map<string, number>()
  return {
    receive(message: BftMessage, data: Uint8Array): void {
      const { author, payload } = message.signed
      const { height, round } = payload
      const what = 'digest' in payload ? payload.digest : data
      const name = keyOf(author)
      const view = `${message.kind} ${height}/${round} of `
      const place = view + name
      const said = keyOf(what)
      const known = words.get(place)
      if (known !== undefined && known !== said) throw new Error(`two different: ${view}${toHex(author)}`)
      words.set(place, said)
      const latest = `${height} of ${name}`
      if (round < (rounds.get(latest) ?? 0)) throw new Error(`after a later round: ${view}${toHex(author)}`)
      rounds.set(latest, round)
    },
  }
}

/** Something on its way from one validator to another: a message, or a block that has its seals. */
export interface Parcel {
  readonly from: number
  readonly to: number
  readonly kind: BftKind | 'block'
  readonly height: bigint
  readonly round: number
  /** Whether it is another's message that is passed on. */
  readonly isGossip: boolean
}

export interface NetworkOptions {
  readonly protocol: BftProtocol
  readonly validators?: number
  /** Who is connected with whom; everyone unless said otherwise. */
  readonly linked?: (a: number, b: number) => boolean
  /** Milliseconds by which the timers of a validator are late. */
  readonly skew?: (index: number) => number
  /** Real signatures unless said otherwise. */
  readonly crypto?: (authority: Authority) => BftCrypto
  /** Who decides on the block after a height; everyone unless said otherwise. */
  readonly decide?: (index: number, height: bigint) => boolean
  readonly timing?: (height: bigint) => Partial<BftTiming>
  readonly requestTimeoutSeconds?: number
  /** What is wrong with a block, beside what is wrong with all. */
  readonly flaw?: (block: Block) => BlockFlaw | undefined
  /** Whether something gets lost on its way. */
  readonly loses?: (parcel: Parcel) => boolean
  /** Validators may contradict themselves: their heads are set back. */
  readonly isSetBack?: boolean
  /** Whether blocks can be made. */
  readonly builds?: () => boolean
  /** Transactions of the next block. */
  readonly pending?: () => readonly Tx[]
  /** What a validator reads and writes; `quoin` unless said otherwise. */
  readonly version?: (index: number) => BftVersion
  /** Sees each effect before it is performed; false ends the validator there and then. */
  readonly watch?: (effect: BftEffect, index: number) => boolean
}

/** Besu up to 25.12 (`legacy`), 26.1 to 26.5 (`accessList`), since 26.6 (`both`: it writes the newer encoding), or this node. */
export type BftVersion = BftEncoding | 'both' | 'quoin'

const startTime = 1_700_000_000

/** A block that the chain of this network takes, but for its seals. */
export function blockFor(
  protocol: BftProtocol,
  proposer: Authority,
  validators: readonly Authority[],
  plan: BftBlockPlan,
  more: {
    readonly minerExtraData?: Uint8Array
    readonly transactions?: readonly Tx[]
    readonly vote?: BftVote | undefined
    readonly byContract?: boolean
  } = {},
): Block {
  const { minerExtraData = new Uint8Array(0), transactions = [], vote, byContract = false } = more
  const extraData = proposedExtraData(protocol.codec, {
    minerExtraData,
    validators: validators.map(({ address }) => address),
    byContract,
    vote,
    round: plan.round,
  })
  const header = {
    ...blankHeader,
    parentHash: plan.parent.hash,
    number: plan.parent.header.number + 1n,
    timestamp: plan.timestamp,
    beneficiary: proposer.address,
    difficulty: 1n,
    mixHash: bftMixHash,
    extraData,
  }
  return { header, transactions, ommers: [], withdrawals: undefined }
}

/** The block from which networks start. */
export function genesisOf(protocol: BftProtocol, validators: readonly Authority[]): HashedHeader {
  const plan = { parent: { header: { ...blankHeader, number: -1n }, hash: blankHeader.parentHash }, round: 0 }
  const { header } = blockFor(protocol, validators[0]!, validators, { ...plan, timestamp: BigInt(startTime) })
  const first = { ...header, beneficiary: blankHeader.beneficiary }
  return { header: first, hash: bftBlockHash(protocol.codec, first) }
}

/** A machine says beforehand what it will ask for when a block is due, or proposed. */
function checkForesight(
  event: BftEvent,
  isProposal: boolean,
  foreseen: BftWork | undefined,
  asked: readonly BftWork[],
) {
  const kind = isProposal ? 'check' : event.type === 'timer' && event.timer.kind === 'block' ? 'build' : undefined
  const first = asked.find(({ type }) => type === kind)
  const isSame =
    foreseen?.type === 'check' && first?.type === 'check'
      ? foreseen.block === first.block
      : foreseen?.type === 'build' && first?.type === 'build'
        ? foreseen.plan.timestamp === first.plan.timestamp && foreseen.plan.round === first.plan.round
        : foreseen === first
  if (!isSame) throw new Error(`foresaw ${foreseen?.type}, asked for ${first?.type}`)
}

interface Validator {
  readonly authority: Authority
  machine: BftMachine | undefined
  record: Uint8Array | undefined
  readonly timers: Map<BftTimer['kind'], { readonly timer: BftTimer; readonly at: number }>
  readonly chain: (HashedHeader & { readonly round: number })[]
  /** Told apart from its other blocks. */
  minerExtraData: Uint8Array
}

/** Validators in one process: messages arrive in order and at once, time passes when nothing else happens. */
export function createBftNetwork(options: NetworkOptions) {
  const { protocol, loses = () => false, watch = () => true, pending = () => [] } = options
  const { decide = () => true, builds = () => true, linked = () => true, skew = () => 0 } = options
  const { requestTimeoutSeconds = 4, version = () => 'quoin' } = options
  const { codec } = protocol
  const keys = authorities(options.validators ?? 4)
  const genesis = genesisOf(protocol, keys)
  const witness = createWitness()
  const crypto = (options.crypto ?? cryptoOf)(keys[0]!)
  const reader = createBftReader(protocol, crypto)
  const announced: { readonly to: number; readonly block: Block }[] = []
  /** What machines have asked for while they handled an event. */
  let asked: BftWork[] = []
  const mail: { readonly to: number; readonly event: BftEvent }[] = []
  let now = startTime * 1000
  const validators: Validator[] = keys.map((authority) => ({
    authority,
    machine: undefined,
    record: undefined,
    timers: new Map(),
    chain: [{ ...genesis, round: 0 }],
    minerExtraData: new Uint8Array(0),
  }))
  const addressesAfter = ({ header }: HashedHeader) =>
    keys.filter((_, index) => decide(index, header.number)).map(({ address }) => address)
  const headOf = (index: number) => validators[index]!.chain.at(-1)!

  const contentOf = ({ minerExtraData }: Validator) => ({ minerExtraData, transactions: pending() })

  function start(index: number): void {
    const validator = validators[index]!
    const { authority } = validator
    validator.machine = createBftMachine({
      protocol,
      address: authority.address,
      crypto: (options.crypto ?? cryptoOf)(authority),
      blocks: {
        build(plan) {
          asked.push({ type: 'build', plan })
          return builds() ? blockFor(protocol, authority, keys, plan, contentOf(validator)) : undefined
        },
        flawOf(block, parent) {
          const { header } = block
          asked.push({ type: 'check', block })
          const isNext = equalBytes(header.parentHash, parent.hash) && header.number === parent.header.number + 1n
          return isNext ? options.flaw?.(block) : { reason: 'not on its parent' }
        },
        hasTransactions: () => pending().length > 0,
      },
      validatorsAfter: addressesAfter,
      timingAt: (height) => ({
        blockPeriodSeconds: 1,
        blockPeriodMilliseconds: undefined,
        emptyBlockPeriodSeconds: undefined,
        ...options.timing?.(height),
      }),
      requestTimeoutSeconds,
      limits: defaultMessageLimits,
      restored: validator.record,
    })
    handle(index, { type: 'head', head: headOf(index) })
    for (const [other, { machine }] of validators.entries())
      if (other !== index && machine && linked(index, other)) {
        mail.push({ to: other, event: { type: 'link', address: authority.address } })
        mail.push({ to: index, event: { type: 'link', address: keys[other]!.address } })
      }
  }

  function kill(index: number): void {
    const validator = validators[index]!
    validator.machine = undefined
    validator.timers.clear()
  }

  function importBlock(index: number, { header }: Block): void {
    const { chain } = validators[index]!
    const parent = chain.at(-1)!
    if (header.number !== parent.header.number + 1n) return
    const data = codec.decode(header.extraData)
    const digest = bftCommitHash(codec, header, data)
    const sealers = new Set(data.seals.map((seal) => keyOf(crypto.recover(digest, seal)!)))
    if (sealers.size < quorumOf(addressesAfter(parent).length)) throw new Error(`too few seals at ${header.number}`)
    const sealed = { header, hash: bftBlockHash(codec, header), round: data.round }
    for (const { chain: other } of validators) {
      const same = other[chain.length]
      if (same && !equalBytes(same.hash, sealed.hash)) throw new Error(`two blocks at ${header.number}`)
    }
    chain.push(sealed)
    handle(index, { type: 'head', head: sealed })
  }

  const read = (code: number, data: Uint8Array) => readMessage(protocol, kindOf(protocol, code)!, data, reader)

  /** Others' words may be passed on to those who were away. */
  function receiveOwn(index: number, code: number, data: Uint8Array): void {
    const message = read(code, data)
    if (!options.isSetBack && equalBytes(message.signed.author, keys[index]!.address)) witness.receive(message, data)
  }

  /** Whether a validator can make sense of what a message is written in. */
  function canRead(index: number, code: number, data: Uint8Array): boolean {
    const encoding = encodingOf(protocol, kindOf(protocol, code)!, data)
    const reads = version(index)
    return reads === 'quoin' || reads === 'both' || encoding === undefined || encoding === reads
  }

  function deliver(from: number, code: number, data: Uint8Array, isFor: (peer: Address) => boolean, isGossip: boolean) {
    const event: BftEvent = { type: 'message', code, data, from: keys[from]!.address }
    const { kind, signed } = read(code, data)
    const { height, round } = signed.payload
    for (const [to, { address }] of keys.entries()) {
      if (to === from || !linked(from, to) || !isFor(address) || !canRead(to, code, data)) continue
      if (!loses({ from, to, kind, height, round, isGossip })) mail.push({ to, event })
    }
  }

  const addresses = keys.map(({ address }) => address)
  const encodings = keys.map(() => createPeerEncodings(undefined, () => addresses))
  const outlets = keys.map((authority, index) => {
    const sign = (options.crypto ?? cryptoOf)(authority).sign
    const outlet = (isGossip: boolean) =>
      createMessageOutlet({
        ...{ protocol, encodings: encodings[index]!, validators: () => addresses },
        sign: ({ digest }, done) => done(sign(digest)),
        send: (code, data, isFor) => deliver(index, code, data, isFor, isGossip),
      })
    return { own: outlet(false).own, passOn: outlet(true).passOn, sign }
  })

  function sendOwn(from: number, code: number, data: Uint8Array, isFor: (peer: Address) => boolean): void {
    const { own, sign } = outlets[from]!
    const writes = version(from)
    if (writes === 'quoin') {
      own(code, data, isFor)
      return
    }
    const written = inEncoding(protocol, kindOf(protocol, code)!, data, writes === 'both' ? 'accessList' : writes, sign)
    deliver(from, code, written ?? data, isFor, false)
  }

  function passOn(from: number, code: number, data: Uint8Array, isFor: (peer: Address) => boolean): void {
    if (version(from) === 'quoin') outlets[from]!.passOn(code, data, isFor)
    else deliver(from, code, data, isFor, true)
  }

  /** What messages that wait are passed on by. */
  const alarms: { readonly at: number; readonly ring: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    after(milliseconds, ring) {
      const alarm = { at: now + milliseconds, ring }
      alarms.push(alarm)
      return () => void alarms.splice(alarms.indexOf(alarm), 1)
    },
  }
  const gossips = validators.map(({ authority }, index) =>
    createMessageGossip({
      clock,
      address: authority.address,
      validators: () => addresses,
      status: () => validators[index]!.machine?.status(),
      send: (code, data, isFor) => passOn(index, code, data, isFor),
      roundTime: requestTimeoutSeconds * 1000,
    }),
  )

  function perform(index: number, effect: BftEffect): void {
    const validator = validators[index]!
    switch (effect.type) {
      case 'persist':
        validator.record = effect.record
        break
      case 'send':
        receiveOwn(index, effect.code, effect.data)
        sendOwn(index, effect.code, effect.data, (peer) => !effect.to || equalBytes(peer, effect.to))
        break
      case 'encoding':
        encodings[index]!.note(effect)
        break
      case 'failure':
        throw effect.error
      case 'gossip':
        gossips[index]!(effect)
        break
      case 'timer':
        validator.timers.set(effect.timer.kind, {
          timer: effect.timer,
          at: ('at' in effect.due ? effect.due.at : now + effect.due.after) + skew(index),
        })
        break
      case 'import':
        importBlock(index, effect.block)
        announce(index, effect.block)
        break
      default:
        break
    }
  }

  /** Others get the block whole: anyone who is behind needs no seals of its own. */
  function announce(from: number, block: Block): void {
    const { round } = codec.decode(block.header.extraData)
    const parcel = { from, kind: 'block', height: block.header.number, round, isGossip: false } as const
    for (const to of validators.keys())
      if (to !== from && linked(from, to) && !loses({ ...parcel, to })) announced.push({ to, block })
  }

  function handle(index: number, event: BftEvent): void {
    const validator = validators[index]!
    if (!validator.machine) return
    if (event.type === 'link') encodings[index]!.link(event.address)
    const foreseen = validator.machine.foresee(event, now)
    asked = []
    const effects = validator.machine.handle(event, now)
    const isProposal = event.type === 'message' && kindOf(protocol, event.code) === 'proposal'
    checkForesight(event, isProposal, foreseen, asked)
    for (const effect of effects) {
      if (!watch(effect, index)) {
        kill(index)
        return
      }
      perform(index, effect)
      if (!validator.machine) return
    }
  }

  /** Lets the next thing happen; false when nothing can. */
  function step(): boolean {
    const message = mail.shift()
    if (message) {
      handle(message.to, message.event)
      return true
    }
    const block = announced.shift()
    if (block) {
      if (!validators[block.to]!.machine) return true
      const before = headOf(block.to)
      importBlock(block.to, block.block)
      if (headOf(block.to) !== before) announce(block.to, block.block)
      return true
    }
    let next: { readonly index: number; readonly timer: BftTimer; readonly at: number } | undefined
    for (const [index, { timers }] of validators.entries())
      for (const { timer, at } of timers.values()) if (!next || at < next.at) next = { index, timer, at }
    const alarm = alarms.reduce((a, b) => (b.at < a.at ? b : a), alarms[0]!)
    if (alarm && (!next || alarm.at <= next.at)) {
      alarms.splice(alarms.indexOf(alarm), 1)
      now = Math.max(now, alarm.at)
      alarm.ring()
      return true
    }
    if (!next) return false
    validators[next.index]!.timers.delete(next.timer.kind)
    now = Math.max(now, next.at)
    handle(next.index, { type: 'timer', timer: next.timer })
    return true
  }

  return {
    keys,
    validators,
    start,
    kill,
    handle,
    headOf,
    now: () => now,
    startAll: () => {
      for (const index of keys.keys()) start(index)
    },
    /** Goes on until a condition holds; throws when it does not come to hold. */
    runUntil(isDone: () => boolean, maxSteps = 20_000): void {
      for (let steps = 0; !isDone(); steps++)
        if (steps > maxSteps || !step()) throw new Error('the network stands still')
    },
    /** Heads of those who run. */
    heights: () => validators.filter(({ machine }) => machine).map(({ chain }) => chain.at(-1)!.header.number),
  }
}

export type BftNetwork = ReturnType<typeof createBftNetwork>
