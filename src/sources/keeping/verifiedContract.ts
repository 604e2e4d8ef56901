import type { JsonObject } from '../../primitives/json.ts'
import type { StandardJson, Target } from '../compiling/standardJson.ts'
import type { CompiledContract } from '../matching/compiled.ts'
import type { Match, Matched } from '../matching/matchCode.ts'
import type { Deployment } from '../verifying/findDeployment.ts'

/** What lists show of a contract whose sources are known. */
export interface ContractSummary {
  /** Lower case. */
  readonly address: string
  readonly chainId: string
  readonly name: string
  readonly runtimeMatch: Match | null
  readonly creationMatch: Match | null
  /** ISO 8601. */
  readonly verifiedAt: string
  /** Counts contracts in the order in which they were verified. */
  readonly matchId: number
  /** Hash of its code then: another one is another contract. */
  readonly codeHash: string
}

/** All that is kept of it. */
export interface ContractDetails {
  readonly compilerVersion: string
  readonly target: Target
  readonly input: StandardJson
  readonly compiled: CompiledContract
  readonly runtime: Matched | undefined
  readonly creation: Matched | undefined
  /** Code on the chain; digits without 0x. */
  readonly onChain: { readonly runtime: string; readonly creation: string | undefined }
  readonly deployment: Deployment | undefined
}

/** A contract whose sources were compiled and compared. */
export interface VerifiedContract {
  readonly summary: ContractSummary
  readonly details: ContractDetails
}

/** An ABI that somebody has given without sources: nothing proves it. */
export interface GivenAbi {
  readonly address: string
  /** ISO 8601. */
  readonly at: string
  readonly abi: readonly JsonObject[]
}

/** The better one of two matches; null if there is none. */
export function matchOf({
  runtimeMatch,
  creationMatch,
}: Pick<ContractSummary, 'runtimeMatch' | 'creationMatch'>): Match | null {
  return runtimeMatch ?? creationMatch
}

const ranks: Readonly<Record<Match, number>> = { match: 1, exact_match: 2 }

/** How much of a contract matches: of two results the higher one is kept. */
export function rankOf({
  runtimeMatch,
  creationMatch,
}: Pick<ContractSummary, 'runtimeMatch' | 'creationMatch'>): number {
  return (runtimeMatch ? ranks[runtimeMatch] : 0) + (creationMatch ? ranks[creationMatch] : 0)
}
