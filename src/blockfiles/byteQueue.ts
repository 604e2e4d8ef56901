const minRoom = 1 << 16

/** Bytes that come in chunks and go out in other pieces. */
export function createByteQueue() {
  let room = new Uint8Array(minRoom)
  let start = 0
  let end = 0
  let taken = 0

  return {
    push(chunk: Uint8Array): void {
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
    length: (): number => end - start,
    /** Bytes that went out so far. */
    taken: (): number => taken,
    /** Up to `count` bytes from the front, which stay; valid until the next call. */
    peek: (count: number): Uint8Array => room.subarray(start, Math.min(start + count, end)),
    /** A copy of the first bytes, which go out. */
    take(count: number): Uint8Array {
      const piece = room.slice(start, start + count)
      start += count
      taken += count
      return piece
    },
  }
}
