import type { AskChain } from './chain.ts'
import { SourceError } from './fault.ts'
import type { SourceStore } from './keeping/sourceStore.ts'
import type { ContractSummary, GivenAbi, VerifiedContract } from './keeping/verifiedContract.ts'
import { codeHashOf } from './verifying/verifyContract.ts'

/** What is known of contracts as they are now: one whose code is another one since is unknown. */
export interface Library {
  chainId(): Promise<string>
  /** Throws a SourceError for other chains. */
  checkChain(chainId: string): Promise<void>
  summary(address: string): Promise<ContractSummary | undefined>
  contract(address: string): Promise<VerifiedContract | undefined>
  /** An ABI that somebody gave, where there are no sources. */
  given(address: string): Promise<GivenAbi | undefined>
  /** A verified contract that has the same code, if this one was not verified itself. */
  alike(address: string): Promise<ContractSummary | undefined>
}

export function createLibrary(ask: AskChain, store: SourceStore): Library {
  let own: Promise<string> | undefined

  async function chainId(): Promise<string> {
    own ??= ask<string>('eth_chainId', []).then((id) => BigInt(id).toString())
    try {
      return await own
    } catch (error) {
      // The node may answer the next time.
      own = undefined
      throw error
    }
  }

  const codeHashNow = async (address: string) =>
    codeHashOf((await ask<string>('eth_getCode', [address, 'latest'])).slice(2))

  async function summary(address: string): Promise<ContractSummary | undefined> {
    const known = store.summary(address)
    return known && known.codeHash === (await codeHashNow(address)) ? known : undefined
  }

  return {
    chainId,
    async checkChain(asked) {
      const id = await chainId()
      if (asked !== id) throw new SourceError({ code: 'unsupported_chain', chainId: asked, own: id })
    },
    summary,
    contract: async (address) => ((await summary(address)) ? store.contract(address) : undefined),
    given: store.given,
    async alike(address) {
      if (store.isEmpty()) return undefined
      const hash = await codeHashNow(address)
      return store.withCode(hash).find((one) => one.address !== address)
    },
  }
}
