import type { Abi, Hex } from 'viem'
import type { Decoded } from '../decode/decoded.ts'
import { decodeInput } from '../decode/decodeInput.ts'
import { knownAbis } from '../decode/knownAbis.ts'
import { parseAbiText } from '../decode/parseAbiText.ts'
import { contracts } from './contracts.ts'
import { keep, readKept } from './kept.ts'

type Kept = Readonly<Record<string, string>>

const read = (): Kept => readKept<Kept>('abis', {})

/** The ABI that the user gave for a contract, else the one that the node knows; undefined if there is none. */
export function abiOf(address: string): Abi | undefined {
  const text = read()[address.toLowerCase()]
  return text ? parseAbiText(text) : contracts.of(address)?.abi
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

const listOf = (abi: Abi | undefined) => (abi ? [abi] : [])

/** What a contract's implementation after a block understands, if it passes its calls on. */
function abiBehind(address: string, block: string): readonly Abi[] {
  const implementation = contracts.proxy(address, block)?.implementation
  return implementation === undefined ? [] : listOf(abiOf(implementation))
}

/**
 * ABIs in the order in which they are tried for a contract: its own, that of its implementation, what everybody knows, those that the user
 * gave for others.
 */
export function abisFor(address: string | null | undefined, block = 'latest'): readonly Abi[] {
  const others = Object.entries(read()).filter(([of]) => of !== address?.toLowerCase())
  return [
    ...(address ? [...listOf(abiOf(address)), ...abiBehind(address, block)] : []),
    ...knownAbis,
    ...others.map(([, text]) => parseAbiText(text)),
  ]
}

/** Decodes a call; the implementation behind a contract is looked for only if nothing else knows the function. */
export function decodeCall(to: string, input: Hex, block = 'latest'): Decoded | undefined {
  const direct = decodeInput(input, [...listOf(abiOf(to)), ...knownAbis])
  return direct ?? (input.length < 10 ? undefined : decodeInput(input, abisFor(to, block)))
}
