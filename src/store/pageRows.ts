import { headerLength } from './pageFile.ts'

const nodeHeader = 8

export const nodeFlags = { big: 1, table: 2 } as const

/** Length of what a row has instead of a value that lies in pages of its own. */
const bigLength = 24

export interface Node {
  readonly key: Buffer
  readonly flags: number
  readonly size: number
  /** Page of the branch below. */
  readonly child: number
  readonly data: Buffer
  readonly start: number
  readonly length: number
}

/** The rows of a page; undefined if they do not fill it exactly. */
export function nodesOf(bytes: Buffer, isLeaf: boolean, pageSize: number): Node[] | undefined {
  const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
  const body = pageSize - headerLength
  if (lower % 2 !== 0 || lower === 0 || lower > upper || upper > body) return undefined
  const nodes: Node[] = []
  for (let at = headerLength; at < headerLength + lower; at += 2) {
    const start = headerLength + bytes.readUInt16LE(at)
    if (start < headerLength + upper || start + nodeHeader > pageSize) return undefined
    const flags = bytes.readUInt16LE(start + 4)
    const keyLength = bytes.readUInt16LE(start + 6)
    const size = bytes.readUInt32LE(start)
    const dataLength = isLeaf ? (flags & nodeFlags.big ? bigLength : size) : 0
    const length = nodeHeader + keyLength + dataLength
    if (start + length > pageSize) return undefined
    const key = bytes.subarray(start + nodeHeader, start + nodeHeader + keyLength)
    const data = bytes.subarray(start + nodeHeader + keyLength, start + length)
    nodes.push({ key, flags, size, child: size + flags * 2 ** 32, data, start, length: length + (length % 2) })
  }
  let end = headerLength + upper
  for (const { start, length } of [...nodes].sort((a, b) => a.start - b.start)) {
    if (start !== end) return undefined
    end += length
  }
  return end === pageSize ? nodes : undefined
}
