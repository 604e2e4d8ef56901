/** A notification: text that many subscribers get, with a gap for the id of the subscription. */
export interface Notification {
  /** UTF-8 of the whole text, with some id in the gap. */
  readonly bytes: Buffer
  /** Where the gap begins; it is as long as the id. */
  readonly idAt: number
  /** ASCII. */
  readonly id: string
}

/** Writes a notification to a buffer that has room for it. */
export function writeNotification({ bytes, idAt, id }: Notification, to: Buffer, at: number): void {
  bytes.copy(to, at)
  to.write(id, at + idAt, 'latin1')
}

/** The text of a notification. */
export function notificationText(notification: Notification): string {
  const bytes = Buffer.allocUnsafe(notification.bytes.length)
  writeNotification(notification, bytes, 0)
  return bytes.toString()
}

/** Makes notifications from what follows the id: the beginning depends on the method only. */
type Notifier = (method: string, id: string, beginning: string, rest: string) => Notification

/** Bytes of recent notifications that are remembered, and of one at most. */
const remembered = { all: 1 << 20, one: 1 << 18 }

/** Creates a notifier that encodes what many subscribers get once for all ids of the same length. */
export function createNotifier(): Notifier {
  /** By the rest, which is the same string for all subscribers, and by the length of the id. */
  const recent = new Map<string, (Notification & { readonly method: string })[]>()
  let size = 0

  return (method, id, beginning, rest) => {
    const known = recent.get(rest)?.[id.length]
    if (known?.method === method) return { bytes: known.bytes, idAt: known.idAt, id }
    const head = `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":"`
    const made = {
      bytes: Buffer.from(`${head}${id}",${beginning}${rest}}}`),
      idAt: Buffer.byteLength(head),
      id,
      method,
    }
    if (made.bytes.length > remembered.one) return made
    size += made.bytes.length
    if (size > remembered.all) {
      recent.clear()
      size = made.bytes.length
    }
    const lengths = recent.get(rest) ?? []
    lengths[id.length] = made
    recent.set(rest, lengths)
    return made
  }
}
