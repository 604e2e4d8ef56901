import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { ethCodeCount } from '../../../src/net/eth/messages.ts'
import { decodeRlp } from '../../../src/primitives/rlp.ts'
import { initiate } from '../../support/localKeys.ts'
import { mutateBytes, mutateEncoded } from './mutateRlp.ts'
import { helloOf, openSession } from './session.ts'
import { type Strike, upTo } from './strike.ts'

export const eth68 = [{ name: 'eth', version: 68, length: ethCodeCount }]

/** A handshake that is wrong somewhere, or no handshake at all. */
export const handshake: Strike = async ({ random, target: { enode }, note }) => {
  const { auth } = initiate(randomBytes(32), enode.id, randomBytes)
  const bytes = note(random.percent(80) ? mutateBytes(random, auth) : random.bytes(random.between(1, 3000)))
  const socket = connect(enode.tcpPort, enode.ip)
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => {})
  socket.write(bytes)
  // Half a handshake may still become a whole one: the target waits for it.
  await upTo(closed, 50)
  socket.destroy()
}

/** A Hello that is wrong somewhere. */
export const hello: Strike = async ({ random, target, note }) => {
  const key = randomBytes(32)
  const right = decodeRlp(helloOf(key, eth68))
  const session = openSession(target, { key, capabilities: eth68, hello: note(mutateEncoded(random, right)) })
  await upTo(Promise.race([session.closed, session.status]), 500)
  session.close()
}

/** Bytes after Hello that are no frame, and frames of any code. */
export const frames: Strike = async ({ random, target, note }) => {
  const session = openSession(target, { key: randomBytes(32), capabilities: eth68 })
  if (await upTo(session.status)) {
    if (random.percent(40)) session.write(note(random.bytes(random.between(1, 300))))
    else session.sendRaw(random.below(0x80), note(random.bytes(random.between(0, 200))))
    await upTo(session.closed, 100)
  }
  session.close()
}
