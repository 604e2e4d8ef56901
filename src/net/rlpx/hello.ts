import { decodeRlp, encodeRlp, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import type { Capability } from '../protocol.ts'

/** The Hello message: client, node ID and supported sub-protocols. */
export interface Hello {
  readonly version: number
  readonly clientId: string
  readonly capabilities: readonly Capability[]
  readonly listenPort: number
  readonly id: Uint8Array
}

const text = new TextEncoder()
/** Maximum capabilities kept of a peer. */
const maxCapabilities = 100
const maxClientId = 256

export function encodeHello({ version, clientId, capabilities, listenPort, id }: Hello): Uint8Array {
  const offered = capabilities.map((c) => [text.encode(c.name), scalar(c.version)])
  return encodeRlp([scalar(version), text.encode(clientId), offered, scalar(listenPort), id])
}

/** Decodes Hello; additional items are ignored (EIP-8). */
export function decodeHello(payload: Uint8Array): Hello {
  const items = rlpList(decodeRlp(payload))
  const capabilities = rlpList(items[2])
    .slice(0, maxCapabilities)
    .map((item) => {
      const [name, version] = rlpList(item)
      return { name: utf8(rlpBytes(name)), version: Number(rlpScalar(version, 32)) }
    })
  return {
    version: Number(rlpScalar(items[0], 32)),
    clientId: utf8(rlpBytes(items[1])).slice(0, maxClientId),
    capabilities,
    listenPort: Number(rlpScalar(items[3], 32)) & 0xffff,
    id: rlpBytes(items[4]).slice(),
  }
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
}
