import { randomBytes } from 'node:crypto'
import { createLocalKey } from '../../../src/keys/nodeIdentity.ts'
import { ethCodes } from '../../../src/net/eth/messages.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpList } from '../../../src/primitives/rlp.ts'
import type { Random } from '../random.ts'
import { eth68 } from './handshakeStrikes.ts'
import { mutateBytes, mutateEncoded, mutateRlp } from './mutateRlp.ts'
import { openSession } from './session.ts'
import { type Strike, upTo } from './strike.ts'
import type { Target } from './target.ts'

interface Heard {
  readonly code: number
  readonly payload: Uint8Array
}

/** Messages of validators that are kept to be changed. */
const maxHeard = 40
/** Messages of one session. */
const perSession = 12

/** A validator without scruples: it hears the others and says the same with changes, many of them under its own signature. */
export function createConsensusStrike(): Strike {
  const heard: Heard[] = []
  return async ({ random, target, note }) => {
    const { protocol, validatorKey } = target
    const { name } = protocol.wire
    // Strangers may say the same; nobody tells them anything.
    const key = random.percent(80) ? validatorKey : randomBytes(32)
    const session = openSession(target, {
      key,
      capabilities: [...eth68, protocol.wire],
      onMessage(from, code, payload) {
        if (from === name && heard.push({ code, payload: payload.slice() }) > maxHeard) heard.shift()
      },
    })
    const theirs = await upTo(session.status)
    if (theirs) {
      session.send('eth', ethCodes.status, theirs)
      await upTo(session.closed, heard.length < maxHeard ? 1500 : 300)
      for (let left = heard.length && perSession; left > 0; left--) {
        const { code, payload } = random.pick(heard)
        session.send(name, code, note(changed(random, target, code, payload)))
      }
      await upTo(session.closed, 100)
    }
    session.close()
  }
}

function changed(random: Random, target: Target, code: number, payload: Uint8Array): Uint8Array {
  if (random.percent(20)) return mutateBytes(random, payload)
  const item = decodeRlp(payload)
  return random.percent(40) ? mutateEncoded(random, item) : encodeRlp(resigned(random, target, code, item))
}

/** The message with another payload, signed anew: proposals and round changes have it one list deeper. */
function resigned(random: Random, { protocol, validatorKey }: Target, code: number, item: RlpItem): RlpItem {
  const { prepare, commit } = protocol.codes
  const members = rlpList(item)
  if (code !== prepare && code !== commit) {
    const [signed, ...rest] = members
    const others = random.percent(50) ? rest : rlpList(mutateList(random, rest))
    return [signPayload(random, protocol, validatorKey, code, signed!), ...others]
  }
  return signPayload(random, protocol, validatorKey, code, item)
}

const mutateList = (random: Random, list: readonly RlpItem[]): RlpItem => {
  const changed = mutateRlp(random, list)
  return changed instanceof Uint8Array ? [changed] : changed
}

function signPayload(
  random: Random,
  protocol: Target['protocol'],
  key: Uint8Array,
  code: number,
  signed: RlpItem,
): RlpItem {
  const [payload] = rlpList(signed)
  const changed = random.percent(25) ? payload! : mutateRlp(random, payload!)
  const signature = createLocalKey(key).sign(protocol.signingDigest(code, encodeRlp(changed)))
  return [changed, signature]
}
