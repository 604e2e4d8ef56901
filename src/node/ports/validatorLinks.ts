import type { Producer } from '../../consensus/producing/producer.ts'
import type { ValidatorNetwork } from '../../consensus/validatorNetwork.ts'
import type { ProtocolLink, SubProtocol } from '../../net/protocol.ts'
import { equalBytes } from '../../primitives/bytes.ts'

/** The connections that validators use: the producer sends to them, the network opens and closes them. */
export interface ValidatorLinks extends Pick<ValidatorNetwork, 'send' | 'blame'> {
  /** The protocols of a producer, as the network offers them to peers. */
  protocolsOf(producer: Producer): readonly SubProtocol[]
}

/** Useless messages after which a peer is disconnected. */
const maxUseless = 16

export function createValidatorLinks(): ValidatorLinks {
  const useless = new WeakMap<ProtocolLink, number>()
  const links = new Map<string, Set<ProtocolLink>>()

  function linksOf(protocol: string): Set<ProtocolLink> {
    let found = links.get(protocol)
    if (!found) links.set(protocol, (found = new Set()))
    return found
  }

  return {
    send(protocol, code, data, to) {
      for (const link of linksOf(protocol)) if (to(link.peer.address)) link.send(code, data)
    },
    blame(address) {
      for (const link of [...links.values()].flatMap((set) => [...set])) {
        if (!equalBytes(link.peer.address, address)) continue
        const count = (useless.get(link) ?? 0) + 1
        useless.set(link, count)
        if (count >= maxUseless) link.disconnect('uselessPeer')
      }
    },
    protocolsOf: (producer) =>
      producer.protocols.map(({ name, version, length }) => ({
        name,
        version,
        length,
        open(link) {
          linksOf(name).add(link)
          producer.onLink?.(link.peer.address)
          return {
            // Copied: the producer keeps messages of later rounds, and the connection reuses its buffer.
            onMessage: (code, payload) => producer.receive?.(name, code, payload.slice(), link.peer.address),
            onClose() {
              linksOf(name).delete(link)
              // Of two connections that both sides open at once, one is closed.
              const isLinked = [...linksOf(name)].some(({ peer }) => equalBytes(peer.address, link.peer.address))
              if (!isLinked) producer.onUnlink?.(link.peer.address)
            },
          }
        },
      })),
  }
}
