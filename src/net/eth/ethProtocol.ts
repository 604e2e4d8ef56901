import type { Chain } from '../../chain/chain.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { forkIdAt } from '../../forks/forkId.ts'
import type { PoolViews } from '../../pool/views.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Header } from '../../types/header.ts'
import type { ProtocolLink, ProtocolSession, SubProtocol } from '../protocol.ts'
import { createAnswers } from './answers.ts'
import { createEthPeer, type EthPeer, type EthPeerSession } from './ethPeer.ts'
import type { EthPeers } from './ethPeers.ts'
import { badMessage } from './fault.ts'
import { createForkWatch } from './forkWatch.ts'
import { type EthMessage, type EthVersion, ethCodeCount, ethCodes, ethVersions, messagesOf } from './messages.ts'
import type { RefusedPeers } from './refusedPeers.ts'
import { createRequestServer, type RequestServer } from './requestServer.ts'
import { decodeStatus, encodeStatus, findStatusFault, otherForks, statusAt } from './status.ts'

/** Messages that are neither requests nor responses. */
type GossipMessage = 'newBlockHashes' | 'transactions' | 'newBlock' | 'newPooledTransactionHashes'

/** Handle messages that peers send unasked; an exception disconnects the peer for breach of protocol. */
export type GossipHandlers = Readonly<Record<GossipMessage, (peer: EthPeer, payload: Uint8Array) => void>>

export interface EthParts {
  readonly chain: Pick<Chain, 'read' | 'head' | 'spec' | 'genesis'>
  readonly networkId: bigint
  /** The header as it is stored and sent, with its hash. */
  identify(header: Header): HashedHeader
  readonly pool: Pick<PoolViews, 'get'>
  readonly peers: EthPeers
  readonly refused: RefusedPeers
  readonly gossip: GossipHandlers
  readonly clock: Clock
  readonly log: Logger
}

/** Milliseconds to wait for a peer's Status. */
const statusTime = 20_000

type Handler = (session: OpenSession, payload: Uint8Array) => void

interface OpenSession {
  readonly eth: EthPeerSession
  readonly desk: RequestServer
}

/** The versions of eth that this node offers. */
export function createEthProtocols(parts: EthParts): readonly SubProtocol[] {
  const { chain, networkId, peers, refused, gossip, clock, log } = parts
  const identity = { spec: chain.spec, networkId, genesisHash: chain.genesis.hash }
  const forks = createForkWatch(log)
  const answers = createAnswers({ chain, pool: parts.pool, log })

  const onGossip =
    (message: GossipMessage): Handler =>
    ({ eth }, payload) =>
      gossip[message](eth.peer, payload)

  const handlers: Record<EthMessage, Handler> = {
    status() {
      throw badMessage('second Status')
    },
    newBlockHashes: onGossip('newBlockHashes'),
    transactions: onGossip('transactions'),
    newBlock: onGossip('newBlock'),
    newPooledTransactionHashes: onGossip('newPooledTransactionHashes'),
    getBlockHeaders: ({ desk }, payload) => desk.receive('getBlockHeaders', payload),
    getBlockBodies: ({ desk }, payload) => desk.receive('getBlockBodies', payload),
    getPooledTransactions: ({ desk }, payload) => desk.receive('getPooledTransactions', payload),
    getReceipts: ({ desk }, payload) => desk.receive('getReceipts', payload),
    getNodeData: ({ desk }, payload) => desk.receive('getNodeData', payload),
    blockHeaders: ({ eth }, payload) => eth.answer('headers', payload),
    blockBodies: ({ eth }, payload) => eth.answer('bodies', payload),
    pooledTransactions: ({ eth }, payload) => eth.answer('transactions', payload),
    receipts: ({ eth }, payload) => eth.answer('receipts', payload),
    // This node never requests these.
    nodeData() {
      throw badMessage('unsolicited node data')
    },
  }

  function open(version: EthVersion, messages: ReadonlyMap<number, EthMessage>, link: ProtocolLink): ProtocolSession {
    let session: OpenSession | undefined
    const cancel = clock.after(statusTime, () => link.disconnect('timeout'))
    link.send(ethCodes.status, encodeStatus(chain.read((view) => statusAt(view, identity, version))))

    function onStatus(payload: Uint8Array): void {
      cancel()
      const status = readStatus(payload)
      const { header } = chain.head()
      const fault = status ? findStatusFault(status, identity, version, header) : 'malformed Status'
      const own = forkIdAt(chain.spec, identity.genesisHash, header)
      if (!status || fault !== undefined) {
        log.debug({ peer: link.peer.remote, client: link.peer.clientId, fault }, 'incompatible peer')
        if (status && fault !== undefined) refused.add(link.peer, fault)
        if (status && fault === otherForks) forks.onOtherFork(link.peer, own, status.forkId)
        link.disconnect('subprotocol')
        return
      }
      session = {
        eth: createEthPeer(link, version, status, { clock, identify: parts.identify }),
        desk: createRequestServer(link, answers, clock),
      }
      log.debug({ peer: link.peer.remote, client: link.peer.clientId, version }, 'peer ready')
      forks.onPeer(link.peer, own, status.forkId)
      refused.forget(link.peer)
      peers.add(session.eth.peer)
    }

    return {
      onMessage(code, payload) {
        const message = messages.get(code)
        if (!message) throw badMessage(`code ${code} is not defined in eth/${version}`)
        if (session) handlers[message](session, payload)
        else if (message === 'status') onStatus(payload)
        else throw badMessage(`${message} before Status`)
      },
      onClose(closing) {
        cancel()
        if (!session) return
        session.desk.close()
        session.eth.close()
        peers.remove(session.eth.peer, closing)
      },
    }
  }

  return ethVersions.map((version) => {
    const messages = messagesOf(version)
    return { name: 'eth', version, length: ethCodeCount, open: (link) => open(version, messages, link) }
  })
}

function readStatus(payload: Uint8Array) {
  try {
    return decodeStatus(payload)
  } catch {
    return undefined
  }
}
