import { createReadStream, type ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { RlpError } from '../primitives/rlp.ts'
import { type Block, decodeBlock } from '../types/block.ts'
import { type ByteQueue, createByteQueue } from './byteQueue.ts'
import { BlockFileError } from './fault.ts'

/** A block from a file or from another node, and its place there. */
export interface FileBlock {
  readonly block: Block
  /** Bytes of its RLP. */
  readonly size: number
  /** Share of the source up to the end of this block, from 0 to 1; an estimate if the file is gzipped. */
  readonly share: number
}

/** No real block is longer: a greater length means that the file does not contain blocks. */
const maxBlockLength = 1 << 28
const chunkSize = 1 << 17

/** The blocks of a file, one RLP after the other, plain or gzipped; holds little more than one in memory. */
export async function* readBlockFile(path: string): AsyncGenerator<FileBlock> {
  const { packed, length } = await lookAt(path)
  const file = createReadStream(path, { highWaterMark: chunkSize })
  const queue = createByteQueue()
  try {
    for await (const chunk of packed ? unpack(file) : file) {
      queue.push(chunk as Uint8Array)
      for (let size = blockSize(path, queue); size !== undefined; size = blockSize(path, queue)) {
        const at = queue.taken()
        // A copy, so that a block that is kept does not keep its neighbours.
        const block = decode(path, queue.take(size), at)
        const read = packed ? (file.bytesRead * queue.taken()) / (queue.taken() + queue.length()) : queue.taken()
        yield { block, size, share: length === 0 ? 1 : read / length }
      }
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new BlockFileError({ code: 'FILE_UNREADABLE', path, reason: error.message }, error)
    throw error
  } finally {
    file.destroy()
  }
  if (queue.length() > 0) throw new BlockFileError({ code: 'FILE_TRUNCATED', path, at: queue.taken() })
}

/** Length of a file, and whether it starts with the magic bytes of gzip. */
async function lookAt(path: string): Promise<{ packed: boolean; length: number }> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(2), 0, 2, 0)
      const { size } = await file.stat()
      return { packed: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b, length: size }
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BlockFileError(
      code === 'ENOENT' ? { code: 'FILE_MISSING', path } : { code: 'FILE_UNREADABLE', path, reason: message },
      error,
    )
  }
}

function unpack(file: ReadStream): Readable {
  // An error is thrown to the reader of the unpacked bytes.
  return pipeline(file, createGunzip({ chunkSize }), () => {})
}

/** Size of the block at the front; undefined until all of it is there. */
function blockSize(path: string, queue: ByteQueue): number | undefined {
  const front = queue.peek(9)
  const first = front[0]
  if (first === undefined) return undefined
  const fault = (reason: string) => new BlockFileError({ code: 'FILE_NOT_BLOCKS', path, at: queue.taken(), reason })
  if (first < 0xc0) throw fault('a block is an RLP list')
  const lengthBytes = first < 0xf8 ? 0 : first - 0xf7
  if (front.length < 1 + lengthBytes) return undefined
  let payload = lengthBytes === 0 ? first - 0xc0 : 0
  for (let i = 1; i <= lengthBytes; i++) payload = payload * 256 + front[i]!
  if (payload > maxBlockLength) throw fault(`its length would be ${payload} bytes`)
  const size = 1 + lengthBytes + payload
  return queue.length() < size ? undefined : size
}

function decode(path: string, bytes: Uint8Array, at: number): Block {
  try {
    return decodeBlock(bytes)
  } catch (error) {
    if (!(error instanceof RlpError)) throw error
    throw new BlockFileError({ code: 'FILE_NOT_BLOCKS', path, at, reason: error.message }, error)
  }
}
