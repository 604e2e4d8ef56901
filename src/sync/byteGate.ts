/** Bytes that a request is expected to bring. */
const reserved = 256 * 1024

/**
 * Keeps what is downloaded but not yet imported within bounds. Work for the `reach` blocks from the one that is imported
 * next is never held up.
 */
export function createByteGate(limit: number, first: bigint, reach: number) {
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
    /** Waits until there is room for a request from block `number` on. */
    enter(number: bigint): Promise<void> {
      return new Promise((go) => {
        waiting.push({ number, go })
        serve()
      })
    },
    /** The request is over and brought that many bytes. */
    leave(bytes: number): void {
      held += bytes - reserved
      serve()
    },
    /** Bytes were used up; block `next` is wanted now. */
    release(bytes: number, next: bigint): void {
      held -= bytes
      front = next
      serve()
    },
  }
}

export type ByteGate = ReturnType<typeof createByteGate>
