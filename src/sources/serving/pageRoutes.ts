import { isJsonObject } from '../../primitives/json.ts'
import type { Compilers } from '../compiling/compilers.ts'
import { versionText } from '../compiling/solcVersion.ts'
import { SourceError } from '../fault.ts'
import { matchOf } from '../keeping/verifiedContract.ts'
import { readAddress } from './readAddress.ts'
import { type Answer, type Asked, ok, type Route } from './route.ts'
import type { SourcifyParts } from './sourcifyRoutes.ts'

export interface PageParts extends SourcifyParts {
  readonly compilers: Compilers
  /** Milliseconds since 1970. */
  now(): number
  /** Called when somebody has given an ABI, or taken it away. */
  onGiven(address: string, client: string, isGone: boolean): void
}

/** Contracts that may be asked for at once. */
const maxContracts = 64
/** Characters of an ABI that is given. */
const maxAbi = 256 << 10

/** What the explorer's own page asks beside Sourcify's API. */
export function pageRoutes(parts: PageParts): readonly Route[] {
  return [
    { method: 'POST', path: /^\/sources\/known$/, body: 'json', answer: (asked) => known(parts, asked) },
    { method: 'POST', path: /^\/sources\/abi$/, body: 'json', answer: (asked) => giveAbi(parts, asked) },
    {
      method: 'GET',
      path: /^\/sources\/compilers$/,
      answer({ permit }) {
        permit('eth_getCode')
        return ok([...new Set(parts.compilers.list().map(({ version }) => versionText(version)))])
      },
    },
  ]
}

/** Name, ABI and match of contracts; those of which nothing is known are left out. */
async function known({ library, store }: PageParts, { body, permit }: Asked): Promise<Answer> {
  permit('eth_getCode')
  const { addresses } = body
  if (!Array.isArray(addresses) || addresses.length > maxContracts)
    throw new SourceError({
      code: 'invalid_parameter',
      reason: `addresses is a list of up to ${maxContracts} addresses.`,
    })
  const found: Record<string, unknown> = {}
  for (const address of new Set(addresses.map(readAddress))) {
    const own = await library.summary(address)
    const alike = own ? undefined : await library.alike(address)
    const summary = own ?? alike
    if (summary) {
      const { name, codeHash } = summary
      const like = alike && { like: alike.address }
      found[address] = { name, codeHash, match: matchOf(summary), abi: await store.abi(summary.address), ...like }
    } else {
      const given = await library.given(address)
      if (given) found[address] = { abi: given.abi, givenAt: given.at }
    }
  }
  return ok(found)
}

const kinds = new Set(['function', 'event', 'error', 'constructor', 'fallback', 'receive'])

/** Keeps an ABI for everybody; an empty list takes it away. */
async function giveAbi({ store, now, onGiven }: PageParts, { body, client, permit }: Asked): Promise<Answer> {
  permit('sources_share')
  const address = readAddress(body['address'])
  const { abi } = body
  const isAbi = Array.isArray(abi) && abi.every((entry) => isJsonObject(entry) && kinds.has(String(entry['type'])))
  if (!isAbi || JSON.stringify(abi).length > maxAbi)
    throw new SourceError({
      code: 'invalid_parameter',
      reason: `abi is a list of functions, events and errors of up to ${maxAbi} characters.`,
    })
  if (abi.length === 0) store.removeGiven(address)
  else store.putGiven({ address, abi, at: new Date(now()).toISOString() })
  onGiven(address, client, abi.length === 0)
  return ok({})
}
