import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Checks } from '../checks.ts'
import type { Deployed } from './deploySamples.ts'
import { modules } from './samplePackages.ts'
import { chainId, type SourceChain } from './sourceChain.ts'

interface Loaded {
  readonly name: string | null
  readonly ok: boolean
  readonly abi: readonly unknown[]
}

interface Loader {
  getContract(address: string): Promise<Loaded>
}

interface WhatsAbi {
  readonly loaders: {
    readonly SourcifyABILoader: new (config: object) => Loader
    readonly EtherscanV1ABILoader?: new (config: object) => Loader
    readonly BlockscoutABILoader: new (config: object) => Loader
  }
}

/** Reads verified contracts with whatsabi, a client of both APIs. */
export async function readWithWhatsabi(
  checks: Checks,
  { sourcesUrl }: SourceChain,
  all: readonly Deployed[],
): Promise<void> {
  const path = join(modules, '@shazow/whatsabi/lib.esm/index.js')
  const { loaders } = (await import(pathToFileURL(path).href)) as WhatsAbi
  const sourcify = new loaders.SourcifyABILoader({ baseURL: sourcesUrl, chainId })
  const blockscout = new loaders.BlockscoutABILoader({ baseURL: `${sourcesUrl}/api` })
  for (const { sample, address, difference } of all) {
    const name = difference?.name ?? sample.name
    const [one, other] = [await sourcify.getContract(address), await blockscout.getContract(address)]
    const expected = difference ? [false, null] : [true, sample.target.split(':')[1]]
    checks.equal(`whatsabi reads ${name} by Sourcify's API`, [one.ok, one.name], expected)
    checks.equal(`whatsabi reads ${name} by Etherscan's API`, [other.ok, other.abi], [one.ok, one.abi])
  }
}
