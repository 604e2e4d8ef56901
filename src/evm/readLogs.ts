import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Log } from '../types/log.ts'
import * as layout from './assembly/layout.ts'
import type { LinearMemory } from './linearMemory.ts'

/** Reads the log records in the `length` bytes at `at`. */
export function readLogs(memory: LinearMemory, at: number, length: number): Log[] {
  const logs: Log[] = []
  const end = at + length
  while (at < end) {
    const count = memory.u32(at + layout.G_TOPICS)
    const bytes = memory.u32(at + layout.G_DATA)
    const body = at + layout.G_BODY
    const topics: Hash32[] = []
    for (let i = 0; i < count; i++) topics.push(memory.hash(body + 32 * i))
    const data = memory.slice(body + 32 * count, bytes)
    logs.push({ address: memory.slice(at + layout.G_ADDRESS, 20) as Address, topics, data })
    // Records are aligned to four bytes.
    at = (body + 32 * count + bytes + 3) & ~3
  }
  return logs
}
