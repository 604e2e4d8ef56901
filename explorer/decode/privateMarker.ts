import type { Hex } from 'viem'

/** Where the markers of private transactions go: of groups that managers keep, and of flexible ones. */
const places: ReadonlySet<string> = new Set([`0x${'0'.repeat(38)}7e`, `0x${'0'.repeat(38)}7d`])

/** Whether a public transaction says where in the chain a private one is executed: it carries the key of the payload, and calls nothing. */
export function isPrivateMarker({ to, input }: { readonly to: Hex | null; readonly input: Hex }): boolean {
  return to !== null && places.has(to.toLowerCase()) && (input.length === 66 || input.length === 130)
}
