import type { BftMessageLimits } from '../../forks/consensusConfig.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'

export interface RawMessage {
  readonly code: number
  readonly data: Uint8Array
  /** Hash of the data, by which duplicates are recognised. */
  readonly hash: Hash32
  readonly from: Address | undefined
}

/** Undecoded messages of future heights. */
export interface FutureMessages {
  /** Keeps a message unless its height is too far ahead of the current one. */
  add(height: bigint, message: RawMessage, current: bigint): void
  /** Returns the messages of a height, and removes them and all of earlier heights. */
  take(height: bigint): readonly RawMessage[]
}

export function createFutureMessages(limits: BftMessageLimits): FutureMessages {
  const { futureMessagesLimit, futureMessagesMaxDistance } = limits
  const byHeight = new Map<bigint, RawMessage[]>()
  let total = 0

  function forget(height: bigint): void {
    total -= byHeight.get(height)?.length ?? 0
    byHeight.delete(height)
  }

  /** Drops messages of the farthest height first; within a height, the oldest ones. */
  function makeRoom(): void {
    let highest = -1n
    for (const height of byHeight.keys()) if (height > highest) highest = height
    if (byHeight.size > 1) {
      forget(highest)
      return
    }
    byHeight.get(highest)?.shift()
    total--
  }

  return {
    add(height, message, current) {
      if (height > current + BigInt(futureMessagesMaxDistance)) return
      const list = byHeight.get(height)
      if (list) list.push(message)
      else byHeight.set(height, [message])
      total++
      if (total > futureMessagesLimit) makeRoom()
    },
    take(height) {
      const taken = byHeight.get(height) ?? []
      for (const one of byHeight.keys()) if (one <= height) forget(one)
      return taken
    },
  }
}
