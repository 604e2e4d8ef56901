import { randomUUID } from 'node:crypto'
import type { AskChain } from '../chain.ts'
import { readMetadata } from '../compiling/fromMetadata.ts'
import { parseVersion, type SolcVersion } from '../compiling/solcVersion.ts'
import { readStandardJson, readTarget } from '../compiling/standardJson.ts'
import type { Library } from '../createLibrary.ts'
import { SourceError } from '../fault.ts'
import type { SourceStore } from '../keeping/sourceStore.ts'
import { findProxy, type ProxyKind } from '../proxies/findProxy.ts'
import type { Job, Jobs } from '../verifying/createJobs.ts'
import type { Submission } from '../verifying/verifyContract.ts'
import { minimalOf, readSelection, selectFields, unverified } from './contractFields.ts'
import { readAddress, showAddress } from './readAddress.ts'
import { type Answer, type Asked, ok, type Route } from './route.ts'

export interface SourcifyParts {
  readonly ask: AskChain
  readonly library: Library
  readonly store: SourceStore
  readonly jobs: Jobs
}

const place = '([0-9]{1,20})/(0x[0-9a-fA-F]{40})'
const maxList = 200

/** Sourcify's API, version 2: its public server's paths, for the chain of this node. */
export function sourcifyRoutes(parts: SourcifyParts): readonly Route[] {
  const { jobs, library, store } = parts
  return [
    {
      method: 'POST',
      path: new RegExp(`^/v2/verify/${place}$`),
      body: 'json',
      answer: (asked) => verify(parts, asked, fromJson),
    },
    {
      method: 'POST',
      path: new RegExp(`^/v2/verify/metadata/${place}$`),
      body: 'json',
      answer: (asked) => verify(parts, asked, fromMetadata),
    },
    {
      method: 'POST',
      path: new RegExp(`^/v2/verify/similarity/${place}$`),
      body: 'json',
      answer: (asked) => verifyAlike(parts, asked),
    },
    {
      method: 'GET',
      path: /^\/v2\/verify\/([0-9a-f-]{36})$/,
      async answer({ found: [id], permit }) {
        permit('eth_getCode')
        return ok(jobAnswer(jobs.get(id!), await library.chainId()))
      },
    },
    { method: 'GET', path: new RegExp(`^/v2/contract/${place}$`), answer: (asked) => contract(parts, asked) },
    {
      method: 'GET',
      path: /^\/v2\/contract\/all-chains\/(0x[0-9a-fA-F]{40})$/,
      async answer({ found: [address], permit }) {
        permit('eth_getCode')
        const summary = await library.summary(readAddress(address))
        return { status: summary ? 200 : 404, json: { results: summary ? [minimalOf(summary)] : [] } }
      },
    },
    {
      method: 'GET',
      path: /^\/v2\/contracts\/([0-9]{1,20})$/,
      async answer({ found: [chainId], query, permit }) {
        permit('eth_getCode')
        await library.checkChain(chainId!)
        return ok({ results: listed(store, query) })
      },
    },
    // Where tools send people for more.
    {
      method: 'GET',
      path: new RegExp(`^/repo-ui/${place}$`),
      answer: ({ found: [, address] }) => toContract(address!),
    },
    {
      method: 'GET',
      path: /^\/verify-ui\/jobs\/([0-9a-f-]{36})$/,
      answer: ({ found: [id] }) => toContract(jobs.get(id!).address),
    },
  ]
}

const toContract = (address: string): Answer => ({ status: 302, location: `/#/address/${address}/code` })

/** Characters of a version, nightly builds with the name of their system. */
const maxVersion = 100

/** Reads a version that has to be whole: two compilers of the same number may write other code. */
export function readVersion(text: unknown): SolcVersion {
  const version = typeof text === 'string' && text.length <= maxVersion ? parseVersion(text) : undefined
  if (version?.commit !== undefined) return version
  throw new SourceError({
    code: 'invalid_parameter',
    reason: `Invalid Solidity compiler version format: ${String(text).slice(0, 80)}. Expected format: x.y.z+commit.xxxxxxxx`,
  })
}

type Read = (body: Asked['body']) => Pick<Submission, 'version' | 'input' | 'target'>

const fromJson: Read = ({ stdJsonInput, compilerVersion, contractIdentifier }) => ({
  input: readStandardJson(stdJsonInput),
  version: readVersion(compilerVersion),
  target: readTarget(contractIdentifier),
})

const fromMetadata: Read = ({ metadata, sources }) => {
  const { version, input, target } = readMetadata(metadata, sources)
  return { version: readVersion(version), input, target }
}

const hashOf = (value: unknown) =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined

async function verify({ library, jobs }: SourcifyParts, asked: Asked, read: Read): Promise<Answer> {
  const { found, body, client } = asked
  asked.permit('sources_verify')
  const address = await checkedAddress(library, found)
  const creationHash = hashOf(body['creationTransactionHash'])
  const verificationId = jobs.start({ ...read(body), address, client, creationHash })
  return { status: 202, json: { verificationId } }
}

async function verifyAlike({ library, jobs, store }: SourcifyParts, asked: Asked): Promise<Answer> {
  asked.permit('sources_verify')
  const address = await checkedAddress(library, asked.found)
  const { client, body } = asked
  const verificationId = jobs.startWith(address, client, async () => {
    const alike = await library.alike(address)
    const contract = alike && (await store.contract(alike.address))
    const version = parseVersion(contract?.details.compilerVersion ?? '')
    if (!contract || !version) throw new SourceError({ code: 'no_similar_match_found' })
    const { input, target } = contract.details
    return { address, client, input, target, version, creationHash: hashOf(body['creationTransactionHash']) }
  })
  return { status: 202, json: { verificationId } }
}

/** The address of a contract that can be verified. */
async function checkedAddress(library: Library, [chainId, text]: readonly string[]): Promise<string> {
  await library.checkChain(chainId!)
  const address = readAddress(text)
  const known = await library.summary(address)
  if (known?.runtimeMatch === 'exact_match' && known.creationMatch === 'exact_match')
    throw new SourceError({ code: 'already_verified', address: showAddress(address) })
  return address
}

function jobAnswer({ id, address, started, finished, contract, error }: Job, chainId: string) {
  return {
    isJobCompleted: finished !== undefined,
    verificationId: id,
    jobStartTime: started,
    ...(finished !== undefined && { jobFinishTime: finished }),
    ...(error && { error: errorAnswer(error) }),
    contract: contract ? minimalOf(contract) : unverified(chainId, address),
  }
}

/** An error as Sourcify's clients read it. */
export function errorAnswer({ at, message }: SourceError) {
  return {
    ...{ customCode: at.code, message, errorId: randomUUID() },
    ...(at.code === 'compiler_error' && { errorData: { compilerErrors: at.errors } }),
  }
}

const proxyTypes: Readonly<Record<ProxyKind, string>> = {
  'EIP-1967': 'EIP1967Proxy',
  'EIP-1967 beacon': 'EIP1967Proxy',
  'EIP-1167 minimal': 'EIP1167Proxy',
  'EIP-1822': 'PROXIABLEProxy',
  ZeppelinOS: 'ZeppelinOSProxy',
  Safe: 'GnosisSafeProxy',
  'EIP-7702 delegation': 'FixedProxy',
}

async function contract({ ask, library, store }: SourcifyParts, { found, query, permit }: Asked): Promise<Answer> {
  permit('eth_getCode')
  const [chainId, text] = found
  await library.checkChain(chainId!)
  const selection = readSelection(query)
  const address = readAddress(text)
  const known = await library.contract(address)
  if (!known) return { status: 404, json: unverified(chainId!, address) }
  const answer = selectFields(known, selection)
  if (selection.wanted.has('proxyResolution')) {
    const proxy = await findProxy(ask, address, 'latest')
    const name = proxy && store.summary(proxy.implementation.toLowerCase())?.name
    answer['proxyResolution'] = {
      isProxy: proxy !== undefined,
      proxyType: proxy ? proxyTypes[proxy.kind] : null,
      implementations: proxy ? [{ address: showAddress(proxy.implementation), ...(name && { name }) }] : [],
    }
  }
  return ok(answer)
}

function listed(store: SourceStore, query: URLSearchParams) {
  const sort = query.get('sort') ?? 'desc'
  const limit = Number(query.get('limit') ?? maxList)
  if (!['asc', 'desc'].includes(sort) || !(limit >= 1 && limit <= maxList))
    throw new SourceError({ code: 'invalid_parameter', reason: `sort is asc or desc, limit 1 to ${maxList}.` })
  const after = query.get('afterMatchId')
  const all = [...store.summaries()]
  const ordered = sort === 'asc' ? all : all.reverse()
  const follows = ({ matchId }: { readonly matchId: number }) =>
    after === null || (sort === 'asc' ? matchId > Number(after) : matchId < Number(after))
  return ordered.filter(follows).slice(0, limit).map(minimalOf)
}
