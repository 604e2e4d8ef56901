const minRoom = 1 << 16

/** Bytes that come in as chunks and go out in pieces of other sizes. */
export interface ByteQueue {
  push(chunk: Uint8Array): void
  /** Bytes in the queue. */
  length(): number
  /** Bytes that were taken so far. */
  taken(): number
  /** Up to `count` bytes from the front, which stay in the queue; valid until the next call. */
  peek(count: number): Uint8Array
  /** Removes bytes from the front and returns a copy of them. */
  take(count: number): Uint8Array
}

/** An empty queue. */
export function createByteQueue(): ByteQueue {
  let room = new Uint8Array(minRoom)
  let start = 0
  let end = 0
  let taken = 0

  return {
    push(chunk) {
      const length = end - start
      if (end + chunk.length > room.length) {
        const old = room
        // Doubling keeps what is moved in proportion to what comes in.
        if (length + chunk.length > room.length) room = new Uint8Array(2 * (length + chunk.length))
        room.set(old.subarray(start, end), 0)
        start = 0
        end = length
      }
      room.set(chunk, end)
      end += chunk.length
    },
    length: () => end - start,
    taken: () => taken,
    peek: (count) => room.subarray(start, Math.min(start + count, end)),
    take(count) {
      const piece = room.slice(start, start + count)
      start += count
      taken += count
      return piece
    },
  }
}
