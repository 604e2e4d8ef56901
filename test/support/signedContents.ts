import type { CommitPayload, DigestPayload, PreparedBlock } from '../../src/consensus/bft/messages.ts'
import { messageToSign, sealToSign } from '../../src/consensus/bft/messageToSign.ts'
import { encodeCommitPayload, encodeDigestPayload, encodeSigned } from '../../src/consensus/bft/payloads.ts'
import { commitHashAt, type ProposedBlock, toProposedBlock } from '../../src/consensus/bft/proposedBlock.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { unsealedExtraData } from '../../src/consensus/clique/extraData.ts'
import { cliqueToSign } from '../../src/consensus/clique/sealHash.ts'
import { ibft2Protocol } from '../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { createLocalKey, type NodeKey, type ToSign } from '../../src/keys/nodeIdentity.ts'
import { type DiscoveryMessage, encodePacket } from '../../src/net/discv4/packet.ts'
import { encodeRecord, endpointEntries } from '../../src/net/enr.ts'
import { toHash32 } from '../../src/primitives/bytes.ts'
import { blankHeader } from '../../src/types/header.ts'
import { type Authority, authorities } from './authorityChain.ts'
import { encodeRecord as recordOf } from './localKeys.ts'
import { blockFor } from './machineNetwork.ts'

// What a node signs, of all kinds.

const four = authorities(4)
const [first] = four as [Authority]

/** A key that notes what it is asked to sign, and does not. */
function listener(heard: ToSign[]): NodeKey {
  const { publicKey, address } = createLocalKey(first.key)
  const never = new Promise<never>(() => {})
  return {
    kind: 'remote',
    isGuarded: true,
    publicKey,
    address,
    sign(what) {
      heard.push(what)
      return never
    },
    agree: () => never,
  }
}

/** One of each packet of discovery, and a node record. */
export function packetsToSign(): ToSign[] {
  const heard: ToSign[] = []
  const key = listener(heard)
  const { publicKey: id } = key
  const place = { ip: '10.0.0.1', udpPort: 30303, tcpPort: 30304 }
  const expires = 1_800_000_000
  const hash = new Uint8Array(32).fill(7)
  const record = recordOf(5n, endpointEntries({ id, ...place }), first.key)
  const messages: DiscoveryMessage[] = [
    { type: 'ping', from: place, to: place, expires, seq: 5n },
    { type: 'pong', to: place, ping: hash, expires, seq: 5n },
    { type: 'findNode', target: id, expires },
    { type: 'neighbors', nodes: [{ id, ...place }], expires },
    { type: 'recordRequest', expires },
    { type: 'recordResponse', request: hash, record },
  ]
  for (const message of messages) encodePacket(message, key, () => {})
  encodeRecord(6n, endpointEntries({ id, ...place }), key, () => {})
  return heard
}

/** A block that the first of four validators proposes; `mark` makes it another one. */
export function proposedBy(protocol: BftProtocol, height: bigint, round: number, mark = 0): ProposedBlock {
  const parent = { header: { ...blankHeader, number: height - 1n }, hash: toHash32(new Uint8Array(32).fill(9)) }
  const minerExtraData = Uint8Array.of(mark)
  return toProposedBlock(
    protocol.codec,
    blockFor(protocol, first, four, { parent, round, timestamp: 1000n }, { minerExtraData }),
  )
}

function preparedOf(protocol: BftProtocol, block: ProposedBlock, height: bigint, round: number): PreparedBlock {
  const payload: DigestPayload = { height, round, digest: block.digest }
  const encoded = encodeDigestPayload(protocol, payload)
  const { sign, address } = createLocalKey(first.key)
  const signed = (code: number) => ({
    payload,
    author: address,
    bytes: encodeSigned(encoded, sign(protocol.signingDigest(code, encoded))),
  })
  const { codes, signsBlocks } = protocol
  const proposal = signsBlocks ? undefined : signed(codes.proposal)
  return { block, certificate: { round, digest: block.digest, proposal, prepares: [signed(codes.prepare)] } }
}

/** What a validator may sign in a round. */
export function wordsToSign(protocol: BftProtocol, height: bigint, round: number, mark = 0) {
  const block = proposedBy(protocol, height, round, mark)
  const { codes } = protocol
  const view = { height, round }
  const vote = { ...view, digest: block.digest }
  const commit: CommitPayload = { ...vote, seal: new Uint8Array(65).fill(1) }
  const sealHash = commitHashAt(protocol.codec, block, round)
  const change = (prepared: PreparedBlock | undefined) =>
    messageToSign(protocol, codes.roundChange, protocol.encodeRoundChangePayload(view, prepared?.certificate))
  return {
    proposal: messageToSign(protocol, codes.proposal, protocol.encodeProposalPayload(view, block)),
    prepare: messageToSign(protocol, codes.prepare, encodeDigestPayload(protocol, vote)),
    commit: messageToSign(protocol, codes.commit, encodeCommitPayload(protocol, commit)),
    seal: sealToSign(protocol, round, { block, signed: undefined, sealHash }),
    roundChange: change(undefined),
    /** Of a block that was prepared in an earlier round. */
    roundChangeFrom: (earlier: number) =>
      change(preparedOf(protocol, proposedBy(protocol, height, earlier), height, earlier)),
  } satisfies Record<string, ToSign | ((earlier: number) => ToSign)>
}

/** A block of Clique on a parent; `mark` makes it another one. */
export function cliqueBlockToSign(number: bigint, parent: number, mark = 0): ToSign {
  const parentHash = toHash32(new Uint8Array(32).fill(parent))
  const extraData = unsealedExtraData(new Uint8Array(32).fill(mark), [])
  return cliqueToSign({ ...blankHeader, number, parentHash, difficulty: 2n, extraData })
}

/** One of each content that a node signs. */
export function allToSign(): ToSign[] {
  return [
    ...packetsToSign(),
    ...[ibft2Protocol, qbftProtocol].flatMap((protocol) => {
      const { roundChangeFrom, ...words } = wordsToSign(protocol, 12n, 3)
      return [...Object.values(words), roundChangeFrom(1)]
    }),
    cliqueBlockToSign(12n, 1),
  ]
}
