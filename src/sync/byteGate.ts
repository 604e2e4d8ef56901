/** Bytes that a request is expected to bring. */
const reserved = 256 * 1024

/** Limits the bytes that are downloaded but not yet imported. */
export interface ByteGate {
  /** Waits until there is room for a request from block `number` on. */
  enter(number: bigint): Promise<void>
  /** The request has ended and brought so many bytes. */
  leave(bytes: number): void
  /** So many bytes were imported; block `next` is needed next. */
  release(bytes: number, next: bigint): void
}

/** A gate for `limit` bytes; requests for the `reach` blocks from the one that is needed next, at first `first`, never wait. */
export function createByteGate(limit: number, first: bigint, reach: number): ByteGate {
  let held = 0
  let front = first
  let waiting: { readonly number: bigint; readonly go: () => void }[] = []

  const isOpen = (number: bigint) => held < limit || number < front + BigInt(reach)

  function serve(): void {
    const stay: typeof waiting = []
    for (const one of waiting)
      if (isOpen(one.number)) {
        held += reserved
        one.go()
      } else stay.push(one)
    waiting = stay
  }

  return {
    enter(number) {
      return new Promise((go) => {
        waiting.push({ number, go })
        serve()
      })
    },
    leave(bytes) {
      held += bytes - reserved
      serve()
    },
    release(bytes, next) {
      held -= bytes
      front = next
      serve()
    },
  }
}
