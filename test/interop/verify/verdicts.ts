import type { Checks } from '../checks.ts'
import type { Sample } from './contracts.ts'
import type { Deployed } from './deploySamples.ts'
import { chainId, type SourceChain } from './sourceChain.ts'

/** What the node says of a contract in Sourcify's API; null where it is not verified. */
export interface Verdict {
  readonly match: string | null
  readonly runtimeMatch: string | null
  readonly creationMatch: string | null
}

/** How well a contract matches; all is undefined where it does not. */
export async function verdictOf({ sourcesUrl }: SourceChain, address: string): Promise<Verdict> {
  const reply = await fetch(`${sourcesUrl}/v2/contract/${chainId}/${address}`)
  const { match, runtimeMatch, creationMatch } = (await reply.json()) as Verdict
  return { match, runtimeMatch, creationMatch }
}

/** What is to be expected where the tool sends what it has compiled: only the hash of the metadata shows that all is equal. */
export const bestMatch = ({ settings: { hash } }: Sample): string => (hash === 'none' ? 'match' : 'exact_match')

const verdict = (match: string | null): Verdict => ({ match, runtimeMatch: match, creationMatch: match })
const refusal = /deployed and recompiled bytecode don't match/

/** Compares what a tool says, and what the node says from then on, with what is right. */
export async function checkResult(
  { checks, chain, tool }: { readonly checks: Checks; readonly chain: SourceChain; readonly tool: string },
  { sample, address, difference }: Deployed,
  says: string,
  { success, match }: { readonly success: RegExp; readonly match: string },
): Promise<void> {
  const name = `${tool}: ${difference ? `refused: ${difference.name}` : sample.name}`
  const expected = difference ? refusal : success
  const outcome = {
    says: expected.test(says) ? expected.source : says.slice(-700),
    ...(await verdictOf(chain, address)),
  }
  checks.equal(name, outcome, { says: expected.source, ...verdict(difference ? null : match) })
}
