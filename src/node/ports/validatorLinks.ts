import type { Producer } from '../../consensus/producing/producer.ts'
import type { ValidatorNetwork } from '../../consensus/validatorNetwork.ts'
import type { ProtocolLink, SubProtocol } from '../../net/protocol.ts'

/** The connections over which validators talk, between the network and the producer of blocks. */
export interface ValidatorLinks extends Pick<ValidatorNetwork, 'send'> {
  /** The protocols of a producer, to be offered to peers. */
  protocolsOf(producer: Producer): readonly SubProtocol[]
}

export function createValidatorLinks(): ValidatorLinks {
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
    protocolsOf: (producer) =>
      producer.protocols.map(({ name, version, length }) => ({
        name,
        version,
        length,
        open(link) {
          linksOf(name).add(link)
          return {
            // The producer keeps messages of later rounds and heights; the bytes are the connection's.
            onMessage: (code, payload) => producer.receive?.(name, code, payload.slice(), link.peer.address),
            onClose: () => void linksOf(name).delete(link),
          }
        },
      })),
  }
}
