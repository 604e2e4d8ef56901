import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createBftRound } from '../../../src/consensus/bft/bftRound.ts'
import { createMessageSender } from '../../../src/consensus/bft/messageSender.ts'
import { createOwnWords } from '../../../src/consensus/bft/ownWords.ts'
import type { BftProtocol } from '../../../src/consensus/bft/protocol.ts'
import { createSigning } from '../../../src/consensus/bft/signing.ts'
import { createLocalKey } from '../../../src/keys/nodeIdentity.ts'
import type { Enode } from '../../../src/net/enode.ts'
import { type EthMessage, ethCodes } from '../../../src/net/eth/messages.ts'
import { decodeStatus, encodeStatus, type Status } from '../../../src/net/eth/status.ts'
import { toHash32 } from '../../../src/primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpList, scalar } from '../../../src/primitives/rlp.ts'
import { eth68 } from '../p2p/handshakeStrikes.ts'
import { openSession, type Session } from '../p2p/session.ts'
import { upTo } from '../p2p/strike.ts'

/** The validator that is lied to. */
export interface Listener {
  readonly enode: Enode
  /** Undefined with Clique, which has no messages of its own. */
  readonly protocol: BftProtocol | undefined
  /** A right message of each kind, as seen on the chain. */
  readonly messages: Readonly<Record<EthMessage, RlpItem>>
  height(): bigint
}

/** A way to claim blocks that do not exist. */
interface Claim {
  readonly name: string
  readonly status?: Partial<Status>
  say(session: Session, listener: Listener): void
}

/** Blocks by which a claim is ahead of the chain. */
const ahead = 1000n
const hugeDifficulty = 1n << 60n
/** Milliseconds between two claims, and until a request is answered: less than what a peer may take. */
const sayEvery = 400
const answerAfter = 4000

function sayNewBlock(session: Session, { messages, height }: Listener): void {
  const [block] = rlpList(messages.newBlock)
  const [header, ...rest] = rlpList(block!)
  const members = [...rlpList(header!)]
  members[0] = randomBytes(32)
  members[8] = scalar(height() + ahead)
  session.send('eth', ethCodes.newBlock, encodeRlp([[members, ...rest], scalar(hugeDifficulty)]))
}

function sayConsensus(session: Session, { protocol, height }: Listener): void {
  if (!protocol) return
  const key = createLocalKey(randomBytes(32))
  const { name } = protocol.wire
  for (const later of [1n, 2n, ahead]) {
    const digest = toHash32(randomBytes(32))
    const { address } = key
    const signing = createSigning(key.sign, () => {})
    const parts = { protocol, signing, address, words: createOwnWords(address), isCurrent: () => true }
    const sender = createMessageSender(parts, height() + later, (effect) => {
      if (effect.type === 'send') session.send(name, effect.code, effect.data)
    })
    sender.prepare(createBftRound(0), digest, () => {})
    sender.commit(createBftRound(0), digest, key.sign(digest), () => {})
    sender.changeRound(createBftRound(7), undefined, () => {})
  }
}

/** The four ways in which a peer can claim to have more blocks. */
export const claims: readonly Claim[] = [
  { name: 'Status', status: { totalDifficulty: hugeDifficulty }, say: () => {} },
  { name: 'NewBlock', say: sayNewBlock },
  {
    name: 'NewBlockHashes',
    say: (session, { height }) =>
      session.send('eth', ethCodes.newBlockHashes, encodeRlp([[randomBytes(32), scalar(height() + ahead)]])),
  },
  { name: 'consensus messages', say: sayConsensus },
]

/** Sessions, claims and late answers so far. */
export interface Count {
  sessions: number
  claims: number
  answers: number
}

/** Answers a request for headers after a while, with a header that nobody asked for. */
async function answerLate(session: Session, listener: Listener, request: Uint8Array, count: Count): Promise<void> {
  const [id] = rlpList(decodeRlp(request))
  const [, headers] = rlpList(listener.messages.blockHeaders)
  await delay(answerAfter)
  session.send('eth', ethCodes.blockHeaders, encodeRlp([id!, headers!]))
  count.answers++
}

/** Claims blocks under ever new names until it is told to stop. */
export async function claimOn(claim: Claim, listener: Listener, count: Count, isOver: () => boolean): Promise<void> {
  const { protocol, enode } = listener
  while (!isOver()) {
    let isOpen = true
    const session = openSession(
      { enode },
      {
        key: randomBytes(32),
        capabilities: protocol ? [...eth68, protocol.wire] : eth68,
        onMessage(from, code, payload) {
          if (from === 'eth' && code === ethCodes.getBlockHeaders && isOpen)
            void answerLate(session, listener, payload, count)
        },
      },
    )
    void session.closed.then(() => {
      isOpen = false
    })
    const theirs = await upTo(session.status)
    if (theirs && isOpen) {
      count.sessions++
      const status = { ...decodeStatus(theirs), bestHash: toHash32(randomBytes(32)), ...claim.status }
      session.send('eth', ethCodes.status, encodeStatus(status))
      while (isOpen && !isOver()) {
        claim.say(session, listener)
        count.claims++
        await upTo(session.closed, sayEvery)
      }
    }
    session.close()
    await delay(sayEvery)
  }
}
