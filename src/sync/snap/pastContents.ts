import type { PastBlock } from '../../chain/takeOver/pastBlocks.ts'
import type { HashedHeader, StoredReceipt } from '../../chain/view.ts'
import type { EthPeer } from '../../net/eth/ethPeer.ts'
import { EthError } from '../../net/eth/fault.ts'
import { checkSparse } from '../../net/eth/rlpParts.ts'
import { recoverSenders } from '../../pool/recoverSenders.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'
import type { RecoverPool } from '../../recovery/recoverPool.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import { type Body, decodeBody } from '../../types/block.ts'
import type { Header } from '../../types/header.ts'
import { emptyBodyOf, fitBodies } from '../bodyRoots.ts'
import type { PeerSlots } from '../peerSlots.ts'
import { fitReceipts } from './fitReceipts.ts'

type Content = NonNullable<PastBlock['content']>

/** What is asked of a peer for some blocks, and what of its response belongs to which header. */
interface Question<T> {
  ask(peer: EthPeer, blocks: readonly HashedHeader[]): Promise<readonly Uint8Array[]>
  match(headers: readonly Header[], items: readonly Uint8Array[]): readonly (T | undefined)[]
}

const bodies: Question<Uint8Array> = {
  ask: (peer, blocks) => peer.bodies(blocks.map(({ hash }) => hash)),
  match: fitBodies,
}

const receipts: Question<readonly StoredReceipt[]> = {
  ask: (peer, blocks) => peer.receipts(blocks.map(({ hash }) => hash)),
  match: fitReceipts,
}

/** Asks one peer after the other until `take` returns something; a SyncError says that no peer is left. */
export async function askPeers<T>(
  slots: PeerSlots,
  height: bigint,
  take: (peer: EthPeer) => Promise<T | undefined>,
): Promise<T> {
  const excluded = new Set<EthPeer>()
  for (;;) {
    let asked: EthPeer | undefined
    try {
      const taken = await slots.use({ height, excluded, only: undefined }, (peer) => take((asked = peer)))
      if (taken !== undefined) return taken
    } catch (error) {
      if (!(error instanceof EthError)) throw error
    }
    excluded.add(asked!)
  }
}

/** Bodies and receipts of blocks, in their order; what peers send has to be what the headers say. */
export async function fetchContents(
  blocks: readonly HashedHeader[],
  { slots, recover }: { readonly slots: PeerSlots; readonly recover: RecoverPool },
): Promise<readonly Content[]> {
  const withBody = blocks.filter(({ header }) => !emptyBodyOf(header))
  const withReceipts = blocks.filter(({ header }) => !equalBytes(header.receiptsRoot, emptyTrieRoot))
  const [bodyOf, receiptsOf] = await Promise.all([
    fetchAll(withBody, bodies, slots),
    fetchAll(withReceipts, receipts, slots),
  ])
  const contents = blocks.map((block): Content => {
    const body: Body = decodeBody(bodyOf.get(block) ?? emptyBodyOf(block.header)!)
    return { body, receipts: receiptsOf.get(block) ?? [] }
  })
  await recoverSenders(
    contents.flatMap(({ body }) => body.transactions),
    recover,
  )
  return contents
}

async function fetchAll<T>(
  blocks: readonly HashedHeader[],
  { ask, match }: Question<T>,
  slots: PeerSlots,
): Promise<ReadonlyMap<HashedHeader, T>> {
  const found = new Map<HashedHeader, T>()
  let missing = blocks
  while (missing.length > 0) {
    const asked = missing
    const items = await askPeers(slots, asked.at(-1)!.header.number, async (peer) => {
      const response = await ask(peer, asked)
      const fitting = matchOrNone(() =>
        match(
          asked.map(({ header }) => header),
          response.map(checkSparse),
        ),
      )
      if (fitting?.some((item) => item !== undefined)) return fitting
      // One that does not have them, as it says by an empty response, is not useless.
      if (response.length > 0) peer.useless()
      return undefined
    })
    for (const [i, block] of asked.entries()) if (items[i] !== undefined) found.set(block, items[i]!)
    missing = asked.filter((block) => !found.has(block))
  }
  return found
}

/** Undefined where the bytes are none. */
function matchOrNone<T>(match: () => T): T | undefined {
  try {
    return match()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
