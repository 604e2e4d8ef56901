import type { Log } from './objects.ts'
import type { Ask } from './rpc.ts'

/** A privacy group; keys and ids are base64. */
export interface Group {
  readonly privacyGroupId: string
  readonly name: string
  readonly description: string
  readonly type: string
  readonly members: readonly string[]
}

/** Types in words: those of managers are called after what they were made for. */
export function kindOf(type: string): string {
  if (type === 'LEGACY') return 'by recipients'
  return type === 'PANTHEON' ? 'created' : type.toLowerCase()
}

/** The key of the node, or of the user's token, and its groups. */
export interface OwnGroups {
  readonly publicKey: string
  readonly groups: readonly Group[]
}

export const loadGroups = (ask: Ask): Promise<OwnGroups> => ask<OwnGroups>('privx_getGroups')

/** Blocks in which events of private contracts are looked for. */
export const eventBlocks = 5000

/** Events of a group in the last blocks, the newest first. */
export async function loadPrivateLogs(
  ask: Ask,
  group: string,
  head: number,
  address?: string,
): Promise<readonly Log[]> {
  const fromBlock = `0x${Math.max(0, head - eventBlocks + 1).toString(16)}`
  const filter = { fromBlock, toBlock: `0x${head.toString(16)}`, ...(address && { address }) }
  const logs = await ask<readonly Log[]>('priv_getLogs', [group, filter])
  return logs.toReversed()
}

export const groupRoute = (id: string): string => `#/groups/${encodeURIComponent(id)}`
export const privateRoute = (id: string, address: string): string => `#/private/${encodeURIComponent(id)}/${address}`
