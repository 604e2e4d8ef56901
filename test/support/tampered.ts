import type { SubProtocol } from '../../src/net/protocol.ts'

/** Changes a message; undefined holds it back. */
export type ChangeMessage = (code: number, payload: Uint8Array) => Uint8Array | undefined

export interface Tampering {
  /** Changes what the node sends. */
  readonly send?: ChangeMessage
  /** Changes what it gets to see. */
  readonly receive?: ChangeMessage
  /** Called when a connection ends. */
  onClose?(): void
}

/** A node's protocol whose messages somebody changes. */
export function tampered(protocol: SubProtocol, { send, receive, onClose }: Tampering): SubProtocol {
  return {
    ...protocol,
    open(link) {
      const session = protocol.open({
        ...link,
        send(code, payload) {
          const changed = send ? send(code, payload) : payload
          return changed ? link.send(code, changed) : true
        },
      })
      return {
        onMessage(code, payload) {
          const changed = receive ? receive(code, payload) : payload
          if (changed) session.onMessage(code, changed)
        },
        onClose(closing) {
          onClose?.()
          session.onClose(closing)
        },
      }
    },
  }
}

/** Alters a byte, counted from the end, of messages with this code. */
export const altering =
  (altered: number, from = 5): ChangeMessage =>
  (code, payload) => {
    if (code !== altered || payload.length < from) return payload
    const out = payload.slice()
    out[out.length - from]! ^= 1
    return out
  }

/** Holds messages with this code back. */
export const silentAt =
  (silent: number): ChangeMessage =>
  (code, payload) =>
    code === silent ? undefined : payload
