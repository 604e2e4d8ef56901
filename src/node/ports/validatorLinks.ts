import type { Producer } from '../../consensus/producing/producer.ts'
import type { ValidatorNetwork } from '../../consensus/validatorNetwork.ts'
import type { ProtocolLink, SubProtocol } from '../../net/protocol.ts'

/** The connections that validators use: the producer sends to them, the network opens and closes them. */
export interface ValidatorLinks extends Pick<ValidatorNetwork, 'send'> {
  /** The protocols of a producer, as the network offers them to peers. */
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
            // Copied: the producer keeps messages of later rounds, and the connection reuses its buffer.
            onMessage: (code, payload) => producer.receive?.(name, code, payload.slice(), link.peer.address),
            onClose: () => void linksOf(name).delete(link),
          }
        },
      })),
  }
}
