import type { Hex } from 'viem'
import { contracts, type KnownContract } from '../../data/contracts.ts'
import { authorized } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import type { StorageLayout } from '../../decode/storageLayout.ts'

interface CodeValues {
  readonly transformationValues: {
    readonly constructorArguments?: Hex
    readonly libraries?: Readonly<Record<string, Hex>>
    readonly immutables?: Readonly<Record<string, Hex>>
  } | null
}

/** Sources of a contract as the node has verified them. */
export interface VerifiedSources {
  readonly match: 'exact_match' | 'match'
  readonly creationMatch: 'exact_match' | 'match' | null
  readonly runtimeMatch: 'exact_match' | 'match' | null
  readonly verifiedAt: string
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  readonly compilation: {
    readonly compilerVersion: string
    readonly compilerSettings: Readonly<Record<string, unknown>>
    readonly fullyQualifiedName: string
    readonly language: string
  }
  readonly storageLayout: StorageLayout | null
  readonly creationBytecode: CodeValues
  readonly runtimeBytecode: CodeValues
}

const fields = [
  ...['sources', 'compilation', 'storageLayout'],
  ...['creationBytecode.transformationValues', 'runtimeBytecode.transformationValues'],
].join()

/** What is known of a contract, and its sources where they are verified: its own, or those of a contract with the same code. */
export function useVerified(address: Hex): {
  readonly known: KnownContract | undefined
  readonly verified: VerifiedSources | undefined
  readonly error: Error | undefined
} {
  const { ask, node } = useSite()
  const known = contracts.of(address)
  const from = known?.match && (known.like ?? address)
  const { value, error } = useLoad(`sources ${node.path} ${from} ${known?.codeHash}`, async () => {
    if (!from) return undefined
    const chainId = Number(await ask<Hex>('eth_chainId'))
    const response = await fetch(`v2/contract/${chainId}/${from}?fields=${fields}`, { headers: authorized() })
    if (!response.ok) throw new Error(`The server answers ${response.status}.`)
    return (await response.json()) as VerifiedSources
  })
  return { known, verified: value, error }
}
