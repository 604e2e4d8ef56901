import { toHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { AskChain } from '../chain.ts'
import type { Compiling } from '../compiling/createCompiling.ts'
import { compareVersions, type SolcVersion, versionText } from '../compiling/solcVersion.ts'
import type { StandardJson, Target } from '../compiling/standardJson.ts'
import { SourceError } from '../fault.ts'
import type { ContractDetails, ContractSummary } from '../keeping/verifiedContract.ts'
import { auxdataAtEnd } from '../matching/cborAuxdata.ts'
import type { CompiledContract } from '../matching/compiled.ts'
import { matchCreation, matchRuntime } from '../matching/matchCode.ts'
import { findDeployment } from './findDeployment.ts'

/** Sources that are said to be those of a contract. */
export interface Submission {
  /** Lower case. */
  readonly address: string
  readonly version: SolcVersion
  readonly input: StandardJson
  readonly target: Target
  /** The transaction that created it, if it is known. */
  readonly creationHash?: string | undefined
  /** Arguments of the constructor that have to be the right ones, if they are given; digits. */
  readonly constructorArguments?: string | undefined
  /** Address of who asks. */
  readonly client: string
}

export interface VerifyParts {
  readonly ask: AskChain
  readonly compiling: Pick<Compiling, 'compile'>
  readonly chainId: string
}

/** What comparing gave. */
export interface Verification {
  readonly summary: Omit<ContractSummary, 'matchId' | 'verifiedAt'>
  readonly details: ContractDetails
}

/** Code of a contract as it is now; digits without 0x. */
export async function codeOf(ask: AskChain, address: string, chainId: string): Promise<string> {
  const code = await ask<string>('eth_getCode', [address, 'latest'])
  if (/^0x$/.test(code)) throw new SourceError({ code: 'contract_not_deployed', chainId, address })
  return code.slice(2).toLowerCase()
}

/** Hash of code. */
export const codeHashOf = (code: string): string => toHex(keccak256(Buffer.from(code, 'hex')))

/** Compiles sources and compares the outcome with the contract. Rejects with a SourceError if they are not its sources. */
export async function verifyContract(parts: VerifyParts, submission: Submission): Promise<Verification> {
  const { ask, chainId } = parts
  const { address, version, input, target, creationHash } = submission
  const onChain = await codeOf(ask, address, chainId)
  const compiled = await compileLike(parts, submission, onChain)
  const runtime = matchRuntime(compiled, onChain)
  const found = await findDeployment(ask, address, creationHash)
  const creation = found && matchCreation(compiled, found.creationCode)
  if (!runtime && !creation) throw new SourceError(faultOf(compiled, input, onChain))
  checkArguments(submission, creation?.values.constructorArguments, creation !== undefined)
  return {
    summary: {
      ...{ address, chainId, name: target.name, codeHash: codeHashOf(onChain) },
      runtimeMatch: runtime?.match ?? null,
      creationMatch: creation?.match ?? null,
    },
    details: {
      ...{ compilerVersion: versionText(version), target, input, compiled, runtime, creation },
      onChain: { runtime: onChain, creation: found?.creationCode },
      deployment: found?.deployment,
    },
  }
}

/** Compiles once more with the compiler in JavaScript where programs of old versions are known to write other code than that. */
async function compileLike(
  { compiling }: VerifyParts,
  { version, input, target, client }: Submission,
  onChain: string,
): Promise<CompiledContract> {
  const compilation = { version, input, target, client }
  const compiled = await compiling.compile(compilation)
  const { viaIR, optimizer } = input.settings as { viaIR?: boolean; optimizer?: { enabled?: boolean } }
  const mayDiffer = viaIR && !optimizer?.enabled && compareVersions(version, { numbers: '0.8.21' }) < 0
  if (!mayDiffer || matchRuntime(compiled, onChain)) return compiled
  try {
    return await compiling.compile({ ...compilation, kind: 'soljson' })
  } catch (error) {
    if (error instanceof SourceError && error.at.code === 'unsupported_compiler_version') return compiled
    throw error
  }
}

function faultOf({ runtime }: CompiledContract, { settings }: StandardJson, onChain: string) {
  const { optimizer } = settings as { optimizer?: { enabled?: boolean } }
  const auxdata = auxdataAtEnd(onChain)
  return optimizer?.enabled && auxdata !== undefined && auxdata === auxdataAtEnd(runtime.code)
    ? ({ code: 'extra_file_input_bug' } as const)
    : ({ code: 'no_match' } as const)
}

/** Digits of arguments that are told: who sent them has them all. */
const maxShown = 2000

function checkArguments({ constructorArguments }: Submission, actual: string | undefined, isKnown: boolean): void {
  const given = constructorArguments?.replace(/^0x/, '').toLowerCase() ?? ''
  if (given === '' || !isKnown) return
  const have = actual?.slice(2) ?? ''
  if (given === have) return
  const cut = (digits: string) => (digits.length > maxShown ? `${digits.slice(0, maxShown)}…` : digits)
  throw new SourceError({ code: 'wrong_constructor_arguments', given: cut(given), actual: cut(have) })
}
