import { type NodeKey, signWith } from '../keys/nodeIdentity.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'
import { compressPublicKey, curve } from '../primitives/secp256k1.ts'
import type { Enode } from './enode.ts'
import { NetError } from './fault.ts'
import { bytesToIp, ipToBytes } from './ip.ts'

/** An Ethereum node record (ENR, EIP-778). */
export interface NodeRecord {
  /** Increases with each change. */
  readonly seq: bigint
  /** Public key, 64 bytes. */
  readonly id: Uint8Array
  readonly entries: ReadonlyMap<string, RlpItem>
}

const maxLength = 300
/** r and s. */
const signatureLength = 64
const ascii = new TextEncoder()

function fault(reason: string, cause?: unknown): NetError {
  return new NetError({ code: 'MALFORMED_RECORD', reason }, cause)
}

/** IP address and ports of a node as record entries. */
export function endpointEntries({ ip, tcpPort, udpPort }: Enode): Map<string, RlpItem> {
  const bytes = ipToBytes(ip)
  const entries = new Map<string, RlpItem>()
  if (bytes.length) entries.set(bytes.length === 4 ? 'ip' : 'ip6', bytes)
  entries.set('tcp', scalar(tcpPort))
  if (udpPort) entries.set('udp', scalar(udpPort))
  return entries
}

/** Encodes and signs a record; adds the entries `id` and `secp256k1`. `done` is called at once if the key is here. */
export function encodeRecord(
  seq: bigint,
  entries: ReadonlyMap<string, RlpItem>,
  key: NodeKey,
  done: (record: Uint8Array) => void,
): void {
  const all = new Map(entries)
  all.set('id', ascii.encode('v4'))
  all.set('secp256k1', compressPublicKey(key.publicKey))
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1))
  const items = [scalar(seq), ...sorted.flatMap(([name, value]) => [ascii.encode(name), value])]
  const content = encodeRlp(items)
  const { length } = encodeRlp([new Uint8Array(signatureLength), ...items])
  if (length > maxLength) throw fault(`${length} bytes`)
  signWith(key, { kind: 'record', digest: keccak256(content), content: () => content }, (signature) =>
    done(encodeRlp([signature.subarray(0, signatureLength), ...items])),
  )
}

/** Decodes a record; throws if it is malformed or its signature is invalid. */
export function decodeRecord(record: Uint8Array): NodeRecord {
  if (record.length > maxLength) throw fault(`${record.length} bytes`)
  const [signature, ...content] = rlpList(decodeRlp(record))
  const entries = new Map<string, RlpItem>()
  let last = ''
  for (let i = 1; i + 1 < content.length; i += 2) {
    const name = Buffer.from(rlpBytes(content[i])).toString('latin1')
    if (i > 1 && name <= last) throw fault('keys out of order')
    entries.set((last = name), content[i + 1]!)
  }
  if (content.length % 2 === 0) throw fault('key without value')
  if (Buffer.from(rlpBytes(entries.get('id'))).toString('latin1') !== 'v4') throw fault('unknown identity scheme')
  const id = curve.expand(rlpBytes(entries.get('secp256k1'), 33))
  if (!id) throw fault('invalid public key')
  if (!isSigned(keccak256(encodeRlp(content)), rlpBytes(signature, 64), id)) throw fault('signature')
  return { seq: rlpScalar(content[0], 64), id, entries }
}

function isSigned(digest: Hash32, rs: Uint8Array, id: Uint8Array): boolean {
  return [0, 1].some((parity) => {
    const signer = curve.recover(digest, rs, parity)
    return signer !== undefined && equalBytes(signer, id)
  })
}

/** The node of a record; undefined if the record has no IP address. */
export function recordToEnode({ id, entries }: NodeRecord): Enode | undefined {
  const place = entries.get('ip') ?? entries.get('ip6')
  const ip = place && bytesToIp(rlpBytes(place))
  if (!ip) return undefined
  const port = (name: string) => Number(rlpScalar(entries.get(name) ?? scalar(0), 16))
  return { id, ip, tcpPort: port('tcp'), udpPort: port('udp') }
}

/** Formats a record as `enr:…`. */
export function formatRecord(record: Uint8Array): string {
  return 'enr:' + Buffer.from(record).toString('base64url')
}

/** Decodes the text `enr:…` to bytes, without checking the record itself. */
export function parseRecord(text: string): Uint8Array {
  if (!/^enr:[\w-]+$/.test(text)) throw fault('expected enr:<base64url>')
  return new Uint8Array(Buffer.from(text.slice(4), 'base64url'))
}
