import { fromRlp, type Hex, size, slice } from 'viem'

/** What validators say in a header's extraData. */
export type ExtraData =
  | {
      readonly kind: 'qbft' | 'ibft'
      readonly validators: readonly Hex[]
      readonly round: number
      readonly seals: number
    }
  | { readonly kind: 'clique'; readonly signers: readonly Hex[] }
  | { readonly kind: 'other' }

const vanity = 32
const seal = 65
const addressSize = 20

/** Reads extraData of QBFT, IBFT 2.0 and Clique; anything else is `other`. */
export function readExtraData(extraData: Hex): ExtraData {
  return readBft(extraData) ?? readClique(extraData) ?? { kind: 'other' }
}

function readBft(extraData: Hex): ExtraData | undefined {
  let items: unknown
  try {
    items = fromRlp(extraData, 'hex')
  } catch {
    return undefined
  }
  if (!Array.isArray(items) || items.length !== 5) return undefined
  const [, validators, , round, seals] = items as [Hex, Hex[], unknown, Hex, Hex[]]
  if (!Array.isArray(validators) || !Array.isArray(seals) || typeof round !== 'string') return undefined
  // IBFT 2.0 writes the round in four bytes, QBFT as a number without leading zeros.
  const kind = size(round) === 4 ? 'ibft' : 'qbft'
  return { kind, validators, round: round === '0x' ? 0 : Number(BigInt(round)), seals: seals.length }
}

function readClique(extraData: Hex): ExtraData | undefined {
  const middle = size(extraData) - vanity - seal
  if (middle < 0 || middle % addressSize !== 0) return undefined
  const count = middle / addressSize
  const signers = Array.from({ length: count }, (_, i) =>
    slice(extraData, vanity + i * addressSize, vanity + (i + 1) * addressSize),
  )
  return { kind: 'clique', signers }
}
