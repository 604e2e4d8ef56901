import { randomBytes } from 'node:crypto'
import { type EthMessage, ethCodeCount, ethCodes } from '../../../src/net/eth/messages.ts'
import { decodeStatus, encodeStatus } from '../../../src/net/eth/status.ts'
import type { Hash32 } from '../../../src/primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpList } from '../../../src/primitives/rlp.ts'
import { eth68 } from './handshakeStrikes.ts'
import { mutateEncoded } from './mutateRlp.ts'
import { openSession } from './session.ts'
import { type Strike, upTo } from './strike.ts'

const names = Object.keys(ethCodes) as EthMessage[]
/** Messages of one session at most. */
const maxMessages = 8

/** A status that is wrong somewhere. */
export const status: Strike = async ({ random, target, note }) => {
  const session = openSession(target, { key: randomBytes(32), capabilities: eth68 })
  const theirs = await upTo(session.status)
  if (theirs) session.send('eth', ethCodes.status, note(mutateEncoded(random, decodeRlp(theirs))))
  await upTo(session.closed, 200)
  session.close()
}

/** A peer of the same chain whose messages of all kinds are wrong somewhere. */
export const messages: Strike = async ({ random, target, note }) => {
  const version = random.pick([66, 67, 68])
  const session = openSession(target, {
    key: randomBytes(32),
    capabilities: [{ name: 'eth', version, length: ethCodeCount }],
  })
  const theirs = await upTo(session.status)
  if (theirs) {
    session.send('eth', ethCodes.status, theirs)
    for (let left = random.between(1, maxMessages); left > 0; left--) {
      const name = random.pick(names)
      session.send('eth', ethCodes[name], note(mutateEncoded(random, target.messages[name])))
    }
    await upTo(session.closed, 100)
  }
  session.close()
}

/** Which answer a request wants. */
const answers = new Map<number, EthMessage>([
  [ethCodes.getBlockHeaders, 'blockHeaders'],
  [ethCodes.getBlockBodies, 'blockBodies'],
  [ethCodes.getPooledTransactions, 'pooledTransactions'],
  [ethCodes.getReceipts, 'receipts'],
])

/** A peer that claims to be far ahead, and answers requests with what is wrong somewhere. */
export const liar: Strike = async ({ random, target, note }) => {
  const session = openSession(target, {
    key: randomBytes(32),
    capabilities: eth68,
    onMessage(_, code, payload) {
      const name = answers.get(code)
      if (name === undefined) return
      const [id] = rlpList(decodeRlp(payload))
      const [, items] = rlpList(target.messages[name])
      const answer = random.percent(70) ? [id!, items!] : target.messages[name]
      session.send('eth', ethCodes[name], note(mutateEncoded(random, answer)))
    },
  })
  const theirs = await upTo(session.status)
  if (theirs) {
    const bestHash = random.bytes(32) as Hash32
    session.send(
      'eth',
      ethCodes.status,
      encodeStatus({ ...decodeStatus(theirs), bestHash, totalDifficulty: 1n << 60n }),
    )
    const announced = [[random.bytes(32), random.bytes(random.between(1, 8))]]
    session.send('eth', ethCodes.newBlockHashes, note(encodeRlp(announced)))
    await upTo(session.closed, random.between(50, 1500))
  }
  session.close()
}
