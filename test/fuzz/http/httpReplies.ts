/** A response, as far as it is compared. */
export interface HttpReply {
  readonly status: number
  readonly body: string
}

const headEnding = Buffer.from('\r\n\r\n')

/** Reads responses from the bytes of a connection; throws if they are none. */
export function createReplyReader(take: (reply: HttpReply) => void): (bytes: Buffer) => void {
  let pieces: Buffer[] = []
  let held = 0
  /** Bytes without which there is no use in looking again. */
  let needed = 0

  return (bytes) => {
    pieces.push(bytes)
    held += bytes.length
    if (held < needed) return
    let rest = Buffer.concat(pieces)
    for (;;) {
      const found = readReply(rest)
      if (typeof found === 'number') {
        needed = found
        break
      }
      take(found)
      rest = rest.subarray(found.size)
    }
    pieces = [rest]
    held = rest.length
  }
}

/** The first response, or how many bytes it needs at least. */
function readReply(bytes: Buffer): (HttpReply & { readonly size: number }) | number {
  const end = bytes.indexOf(headEnding)
  if (end < 0) return bytes.length + 1
  const head = bytes.toString('latin1', 0, end)
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)
  if (!status) throw new Error(`no response: ${head.slice(0, 80)}`)
  const from = end + headEnding.length
  const length = /^content-length: (\d+)$/im.exec(head)
  if (!length) return readChunks(bytes, from, Number(status[1]))
  const size = from + Number(length[1])
  return bytes.length < size ? size : { status: Number(status[1]), body: bytes.toString('utf8', from, size), size }
}

function readChunks(bytes: Buffer, from: number, status: number): (HttpReply & { readonly size: number }) | number {
  const parts: Buffer[] = []
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return bytes.length + 1
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + length + 2
    if (bytes.length < end) return end
    if (length === 0) return { status, body: Buffer.concat(parts).toString(), size: end }
    parts.push(bytes.subarray(line + 2, line + 2 + length))
    at = end
  }
}
