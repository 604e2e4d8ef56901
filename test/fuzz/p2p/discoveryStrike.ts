import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import type { DiscoveryMessage } from '../../../src/net/discv4/packet.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { decodeRlp } from '../../../src/primitives/rlp.ts'
import { curve } from '../../../src/primitives/secp256k1.ts'
import { encodePacket } from '../../support/localKeys.ts'
import type { Random } from '../random.ts'
import { mutateBytes, mutateEncoded } from './mutateRlp.ts'
import type { Strike } from './strike.ts'
import type { Target } from './target.ts'

/** Bytes of digest and signature in front of what is signed. */
const headLength = 97
const perStrike = 20

function messageOf(random: Random, { enode }: Target, port: number): DiscoveryMessage {
  const expires = Math.floor(Date.now() / 1000) + 60
  const from = { ip: '127.0.0.1', udpPort: port, tcpPort: port }
  const nodes = Array.from({ length: random.below(14) }, () => ({ ...from, id: random.bytes(64) }))
  return random.pick<DiscoveryMessage>([
    { type: 'ping', from, to: enode, expires, seq: 1n },
    { type: 'pong', to: enode, ping: random.bytes(32), expires, seq: 1n },
    { type: 'findNode', target: random.bytes(64), expires },
    { type: 'neighbors', nodes, expires },
    { type: 'recordRequest', expires },
  ])
}

/** Packets whose content is wrong somewhere but rightly signed, and some whose bytes are wrong. */
export const discovery: Strike = async ({ random, target, note }) => {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const key = randomBytes(32)
  for (let left = perStrike; left > 0; left--) {
    const { bytes } = encodePacket(messageOf(random, target, socket.address().port), key)
    const packet = note(random.percent(75) ? resign(random, bytes, key) : mutateBytes(random, bytes))
    await new Promise<void>((resolve) => socket.send(packet, target.enode.udpPort, target.enode.ip, () => resolve()))
  }
  await new Promise<void>((resolve) => socket.close(() => resolve()))
}

function resign(random: Random, packet: Uint8Array, key: Uint8Array): Uint8Array {
  const type = random.percent(90) ? packet[headLength]! : random.below(256)
  const items = mutateEncoded(random, decodeRlp(packet.subarray(headLength + 1)))
  const content = concatBytes(Uint8Array.of(type), items)
  const { rs, parity } = curve.sign(keccak256(content), key)
  const signed = concatBytes(rs, Uint8Array.of(parity), content)
  return concatBytes(keccak256(signed), signed)
}
