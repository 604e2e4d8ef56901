import type { ProtocolLink } from '../../net/protocol.ts'
import { badMessage } from '../../net/snap/fault.ts'
import { kindOf, type SnapKind, snapRequests } from '../../net/snap/messages.ts'
import { encodeRequest } from '../../net/snap/requests.ts'
import { decodeResponse } from '../../net/snap/responses.ts'
import type { SnapAsking, SnapClient } from '../../net/snap/snapProtocol.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { createRecentSet } from '../../primitives/recentSet.ts'
import type { StateDraft } from '../../state/stateDraft.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { type SnapEffect, type SnapEvent, SnapMachine } from './snapMachine.ts'

/** Milliseconds after which a peer is not waited for. */
const answerTime = 10_000
/** Requests that nobody waits for any more: responses to them may still arrive. */
const maxLate = 256

export interface SnapDownloadParts {
  readonly draft: StateDraft
  /** The root of the state to begin with. */
  readonly root: Hash32
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
  /** No peer has the state any more: `restart` is to be called with that of a later block. */
  onStale(): void
  onDone(): void
}

interface Waiting {
  readonly link: ProtocolLink
  readonly kind: SnapKind
  readonly cancel: () => void
}

/** Downloads a state from all peers that offer snap; it is opened by their connections. */
export interface SnapDownload extends SnapClient {
  /** Goes on with another state. */
  restart(root: Hash32): void
  stop(): void
}

/** Performs what the machine wants: sends requests, waits for responses, disconnects who lies. */
class MachineDriver implements SnapDownload {
  private readonly parts: SnapDownloadParts
  private readonly machine: SnapMachine<ProtocolLink>
  private readonly waiting = new Map<number, Waiting>()
  private readonly late = createRecentSet<number>(maxLate)
  private isStopped = false

  constructor(parts: SnapDownloadParts) {
    this.parts = parts
    this.machine = new SnapMachine(parts.draft, parts.root)
  }

  open(link: ProtocolLink): SnapAsking {
    this.handle({ kind: 'peer', peer: link })
    return {
      onResponse: (code, payload) => this.receive(link, kindOf(code).kind, payload),
      onClose: () => this.lose(link),
    }
  }

  restart(root: Hash32): void {
    this.handle({ kind: 'root', root })
  }

  stop(): void {
    this.isStopped = true
    for (const { cancel } of this.waiting.values()) cancel()
    this.waiting.clear()
  }

  private receive(link: ProtocolLink, kind: SnapKind, payload: Uint8Array): void {
    const decoded = decodeResponse(kind, payload)
    const id = Number(decoded.id)
    const request = this.waiting.get(id)
    if (!request) {
      if (this.isStopped || this.late.delete(id)) return
      throw badMessage('a response that nothing asked for')
    }
    if (request.link !== link || request.kind !== kind) throw badMessage('a response to another request')
    request.cancel()
    this.waiting.delete(id)
    this.handle({ kind: 'response', id, response: decoded.message })
  }

  private lose(link: ProtocolLink): void {
    for (const [id, { link: asked, cancel }] of this.waiting)
      if (asked === link) {
        cancel()
        this.waiting.delete(id)
      }
    this.handle({ kind: 'gone', peer: link })
  }

  private expire(id: number): void {
    this.waiting.delete(id)
    this.late.add(id)
    this.handle({ kind: 'timeout', id })
  }

  private handle(event: SnapEvent<ProtocolLink>): void {
    if (this.isStopped) return
    for (const effect of this.machine.handle(event)) this.perform(effect)
  }

  private perform(effect: SnapEffect<ProtocolLink>): void {
    const { log, clock, onStale, onDone } = this.parts
    switch (effect.kind) {
      case 'ask': {
        const { id, peer: link, what: kind, request } = effect
        const cancel = clock.after(answerTime, () => this.expire(id))
        this.waiting.set(id, { link, kind, cancel })
        // A connection that is closed says so.
        link.send(snapRequests[kind], encodeRequest(kind, BigInt(id), request as never))
        return
      }
      case 'drop':
        log.debug({ peer: effect.peer.peer.clientId, reason: effect.reason }, 'peer does not serve the state')
        effect.peer.disconnect('uselessPeer')
        return
      case 'stale':
        onStale()
        return
      case 'done':
        this.stop()
        onDone()
    }
  }
}

export function createSnapDownload(parts: SnapDownloadParts): SnapDownload {
  return new MachineDriver(parts)
}
