import type { AccountRange, SnapKind, SnapRequests, SnapResponses, StorageRanges } from '../../src/net/snap/messages.ts'
import type { Hash32 } from '../../src/primitives/bytes.ts'
import type { createRandom, SnapWorld } from './snapWorld.ts'

type Random = ReturnType<typeof createRandom>
type Response = SnapResponses[SnapKind]

/** What a hostile server makes of a response; undefined if it says nothing at all. */
export type SnapLie = (
  kind: SnapKind,
  response: Response,
  random: Random,
  world: SnapWorld,
  request: SnapRequests[SnapKind],
) => Response | undefined

function flipped(bytes: Uint8Array, random: Random): Uint8Array {
  const out = bytes.slice()
  if (out.length > 0) out[random(out.length)]! ^= 1 << random(8)
  return out
}

const without = <T>(list: readonly T[], at: number) => list.filter((_, i) => i !== at)

/** Alters one of the entries of a response; a response that has none is as it was. */
function alter<T>(list: readonly T[], random: Random, change: (entry: T) => T): T[] {
  const at = random(Math.max(1, list.length))
  return list.map((entry, i) => (i === at ? change(entry) : entry))
}

function onEntries(
  kind: SnapKind,
  response: Response,
  change: {
    accounts(list: AccountRange['accounts']): AccountRange['accounts']
    slots(list: StorageRanges['slots']): StorageRanges['slots']
    blobs(list: readonly Uint8Array[]): readonly Uint8Array[]
  },
): Response {
  if (kind === 'accountRange')
    return { ...(response as AccountRange), accounts: change.accounts((response as AccountRange).accounts) }
  if (kind === 'storageRanges')
    return { ...(response as StorageRanges), slots: change.slots((response as StorageRanges).slots) }
  return change.blobs(response as readonly Uint8Array[])
}

const hasProof = (kind: SnapKind) => kind === 'accountRange' || kind === 'storageRanges'

/** What hostile servers do, by what is said of them. */
export const snapLies: Record<string, SnapLie> = {
  'leaves one out': (kind, response, random) =>
    onEntries(kind, response, {
      accounts: (list) => without(list, random(Math.max(1, list.length))),
      slots: (list) => alter(list, random, (slots) => without(slots, random(Math.max(1, slots.length)))),
      blobs: (list) => without(list, random(Math.max(1, list.length))),
    }),
  'alters values': (kind, response, random) =>
    onEntries(kind, response, {
      accounts: (list) =>
        alter(list, random, ({ hash, account }) => ({ hash, account: { ...account, balance: account.balance + 1n } })),
      slots: (list) =>
        alter(list, random, (slots) =>
          alter(slots, random, ({ hash, data }) => ({ hash, data: flipped(data, random) })),
        ),
      blobs: (list) => alter(list, random, (blob) => flipped(blob, random)),
    }),
  'alters keys': (kind, response, random) =>
    onEntries(kind, response, {
      accounts: (list) =>
        alter(list, random, ({ hash, account }) => ({ hash: flipped(hash, random) as Hash32, account })),
      slots: (list) =>
        alter(list, random, (slots) =>
          alter(slots, random, ({ hash, data }) => ({ hash: flipped(hash, random) as Hash32, data })),
        ),
      blobs: (list) => [...list, Uint8Array.of(1, 2, 3)],
    }),
  'cuts responses off': (kind, response) =>
    onEntries(kind, response, {
      accounts: (list) => list.slice(0, Math.ceil(list.length / 2)),
      slots: (list) => list.map((slots) => slots.slice(0, Math.ceil(slots.length / 2))),
      blobs: (list) => list.slice(0, Math.ceil(list.length / 2)),
    }),
  'drops nodes of proofs': (kind, response, random) => {
    if (!hasProof(kind)) return []
    const { proof } = response as AccountRange
    return { ...(response as AccountRange), proof: without(proof, random(Math.max(1, proof.length))) }
  },
  'alters nodes of proofs': (kind, response, random) => {
    if (!hasProof(kind)) return []
    const { proof } = response as AccountRange
    return { ...(response as AccountRange), proof: alter(proof, random, (node) => flipped(node, random)) }
  },
  'says that all is there': (kind, response) =>
    hasProof(kind) ? { ...(response as AccountRange), proof: [] } : response,
  'says that nothing is left': (kind, response) =>
    onEntries(kind, response, { accounts: () => [], slots: () => [], blobs: () => [] }),
  'has nothing': (kind) =>
    kind === 'accountRange' ? { accounts: [], proof: [] } : kind === 'storageRanges' ? { slots: [], proof: [] } : [],
  'serves an old state': (kind, _, random, { answer, roots }, request) =>
    answer(kind, { ...request, root: roots[random(10)]! } as never),
  'sends slots of others': (kind, response) =>
    onEntries(kind, response, {
      accounts: (list) => list.toReversed(),
      slots: (list) => list.toReversed(),
      blobs: (list) => list.toReversed(),
    }),
  'sends too much': (kind, response) =>
    onEntries(kind, response, {
      accounts: (list) => [...list, ...list],
      slots: (list) => [...list, ...list],
      blobs: (list) => [...list, ...list],
    }),
  'says nothing': () => undefined,
}
