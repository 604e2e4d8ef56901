import type { Abi, Hex } from 'viem'
import { knownAbis } from '../decode/knownAbis.ts'
import { parseAbiText } from '../decode/parseAbiText.ts'
import { keep, readKept } from './kept.ts'

type Kept = Readonly<Record<string, string>>

const read = (): Kept => readKept<Kept>('abis', {})

/** The ABI that the user gave for a contract, undefined if there is none. */
export function abiOf(address: string): Abi | undefined {
  const text = read()[address.toLowerCase()]
  return text ? parseAbiText(text) : undefined
}

/** Keeps the ABI of a contract in the browser; an invalid one throws. An empty text forgets it. */
export function keepAbi(address: Hex, text: string): void {
  const { [address.toLowerCase()]: _, ...others } = read()
  const forget = text.trim() === ''
  if (!forget) parseAbiText(text)
  keep('abis', forget ? others : { ...others, [address.toLowerCase()]: text })
}

/** The text of the ABI that the user gave for a contract. */
export function abiTextOf(address: Hex): string {
  return read()[address.toLowerCase()] ?? ''
}

/** ABIs in the order in which they are tried for a contract: its own, what everybody knows, those of other contracts. */
export function abisFor(address: string | null | undefined): readonly Abi[] {
  const kept = read()
  const own = address ? kept[address.toLowerCase()] : undefined
  const others = Object.entries(kept).filter(([of]) => of !== address?.toLowerCase())
  return [...(own ? [parseAbiText(own)] : []), ...knownAbis, ...others.map(([, text]) => parseAbiText(text))]
}
