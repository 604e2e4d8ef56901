import { parseJson } from '../../jsonrpc/parseJson.ts'
import { isJsonObject } from '../../primitives/json.ts'
import { readStandardJson, readTarget, type StandardJson, type Target } from '../compiling/standardJson.ts'
import { SourceError } from '../fault.ts'
import { matchOf, type VerifiedContract } from '../keeping/verifiedContract.ts'
import { findProxy } from '../proxies/findProxy.ts'
import { codeOf } from '../verifying/verifyContract.ts'
import { readAddress, showAddress } from './readAddress.ts'
import { type Answer, type Asked, ok, type Route } from './route.ts'
import { readVersion, type SourcifyParts } from './sourcifyRoutes.ts'

const notVerified = 'Contract source code not verified'

const success = (result: unknown): Answer => ok({ status: '1', message: 'OK', result })
const failure = (result: string): Answer => ok({ status: '0', message: 'NOTOK', result })

type Action = (parts: SourcifyParts, asked: Asked) => Promise<Answer>

/** The part of Etherscan's API that tools use to verify contracts, and explorers to read what was verified. */
export function etherscanRoutes(parts: SourcifyParts): readonly Route[] {
  const answer = (asked: Asked) => answerAction(parts, asked)
  const path = /^\/(?:v2\/)?api\/?$/
  return [
    { method: 'GET', path, answer },
    { method: 'POST', path, body: 'form', answer },
  ]
}

const actions: Readonly<Record<string, Action>> = {
  verifysourcecode: verify,
  checkverifystatus: check,
  getabi: getAbi,
  getsourcecode: getSourceCode,
  getcontractcreation: getCreation,
}

async function answerAction(parts: SourcifyParts, asked: Asked): Promise<Answer> {
  const { fields } = asked
  const [module, action = ''] = [fields.get('module'), fields.get('action') ?? '']
  const run = module === 'contract' && Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!run)
    return failure(
      `Error! Missing Or invalid Action name: here are ${Object.keys(actions).join(', ')} of module contract`,
    )
  try {
    return await run(parts, asked)
  } catch (error) {
    // As Etherscan says it: an answer like any other.
    if (error instanceof SourceError) return failure(sentenceOf(error))
    throw error
  }
}

/** Some sentences are known to clients, which act on them. */
function sentenceOf({ at, message }: SourceError): string {
  if (at.code === 'contract_not_deployed') return `Unable to locate ContractCode at ${showAddress(at.address)}`
  if (at.code === 'already_verified') return 'Contract source code already verified'
  return at.code === 'unauthorized' ? 'Invalid API Key: it has to be the token of a user who may do this' : message
}

async function verify({ ask, library, jobs }: SourcifyParts, asked: Asked): Promise<Answer> {
  const { fields, client } = asked
  asked.permit('sources_verify')
  const chainId = await library.chainId()
  await library.checkChain(fields.get('chainid') ?? chainId)
  const address = readAddress(fields.get('contractaddress'))
  const version = readVersion(fields.get('compilerversion'))
  const { input, target } = readInput(fields)
  const known = await library.summary(address)
  if (known && matchOf(known) === 'exact_match') return failure('Contract source code already verified')
  // Tools try again when a contract is not there yet.
  await codeOf(ask, address, chainId)
  const constructorArguments = fields.get('constructorArguements') ?? fields.get('constructorArguments') ?? undefined
  return success(jobs.start({ address, version, input, target, client, constructorArguments }))
}

function readInput(fields: URLSearchParams): { readonly input: StandardJson; readonly target: Target } {
  const [format, source, name] = ['codeformat', 'sourceCode', 'contractname'].map((field) => fields.get(field) ?? '')
  if (format === 'solidity-standard-json-input')
    return { input: readStandardJson(parseJson(source!)), target: readTarget(name) }
  if (format !== 'solidity-single-file')
    throw new SourceError({ code: 'unsupported_language', language: format || 'an unnamed format' })
  const target = { path: `${name}.sol`, name: name! }
  const evmVersion = fields.get('evmversion') || undefined
  const settings = {
    optimizer: { enabled: fields.get('optimizationUsed') === '1', runs: Number(fields.get('runs') || 200) },
    ...(evmVersion && !/^default$/i.test(evmVersion) && { evmVersion }),
    ...(fields.get('viaIR') === 'true' && { viaIR: true }),
    libraries: librariesOf(fields),
  }
  return {
    input: readStandardJson({ language: 'Solidity', sources: { [target.path]: { content: source } }, settings }),
    target,
  }
}

/** `libraryname1` and `libraryaddress1`, up to ten; the empty path stands for all sources. */
function librariesOf(fields: URLSearchParams): Record<string, Record<string, string>> {
  const linked: Record<string, string> = {}
  for (let i = 1; i <= 10; i++) {
    const [name, address] = [fields.get(`libraryname${i}`), fields.get(`libraryaddress${i}`)]
    if (name && address) linked[name] = address
  }
  return Object.keys(linked).length === 0 ? {} : { '': linked }
}

async function check({ jobs }: SourcifyParts, { fields, permit }: Asked): Promise<Answer> {
  permit('eth_getCode')
  const { finished, error } = jobs.get(fields.get('guid') ?? '')
  if (finished === undefined) return failure('Pending in queue')
  if (!error) return success('Pass - Verified')
  if (error.at.code === 'already_verified') return success('Already Verified')
  return failure(`Fail - Unable to verify. ${error.message}`)
}

async function known({ library }: SourcifyParts, { fields, permit }: Asked): Promise<VerifiedContract | undefined> {
  permit('eth_getCode')
  return library.contract(readAddress(fields.get('address')))
}

async function getAbi(parts: SourcifyParts, asked: Asked): Promise<Answer> {
  const contract = await known(parts, asked)
  return contract ? success(JSON.stringify(contract.details.compiled.abi)) : failure(notVerified)
}

const unknownSource = {
  ...{ SourceCode: '', ABI: notVerified, ContractName: '', CompilerVersion: '', OptimizationUsed: '', Runs: '' },
  ...{ ConstructorArguments: '', EVMVersion: 'Default', Library: '', LicenseType: 'Unknown', Proxy: '0' },
  ...{ Implementation: '', SwarmSource: '', SimilarMatch: '' },
}

async function getSourceCode(parts: SourcifyParts, asked: Asked): Promise<Answer> {
  const contract = await known(parts, asked)
  const proxy = await findProxy(parts.ask, readAddress(asked.fields.get('address')), 'latest')
  const followed = proxy ? { Proxy: '1', Implementation: showAddress(proxy.implementation) } : {}
  if (!contract) return success([{ ...unknownSource, ...followed }])
  const { input, compiled, compilerVersion, target, creation } = contract.details
  const settings = input.settings as {
    optimizer?: { enabled?: boolean; runs?: number }
    evmVersion?: string
    libraries?: unknown
  }
  return success([
    {
      ...unknownSource,
      // Twice in braces: the sources are standard JSON.
      SourceCode: `{${JSON.stringify(input)}}`,
      ABI: JSON.stringify(compiled.abi),
      ContractName: target.name,
      ContractFileName: target.path,
      CompilerVersion: `v${compilerVersion}`,
      CompilerType: 'Solc-Json',
      OptimizationUsed: settings.optimizer?.enabled ? '1' : '0',
      Runs: String(settings.optimizer?.runs ?? 200),
      ConstructorArguments: creation?.values.constructorArguments?.slice(2) ?? '',
      EVMVersion: settings.evmVersion ?? 'Default',
      Library: isJsonObject(settings.libraries) ? librariesText(settings.libraries as Linked) : '',
      ...followed,
    },
  ])
}

type Linked = Readonly<Record<string, Readonly<Record<string, string>>>>

const librariesText = (libraries: Linked) =>
  Object.values(libraries)
    .flatMap((names) => Object.entries(names).map(([name, address]) => `${name}:${address}`))
    .join(';')

/** Addresses that may be asked for at once, as on Etherscan. */
const maxCreations = 5

async function getCreation({ ask }: SourcifyParts, { fields, permit }: Asked): Promise<Answer> {
  permit('eth_getCode')
  const addresses = (fields.get('contractaddresses') ?? '').split(',').slice(0, maxCreations).map(readAddress)
  const found = await Promise.all(
    addresses.map(async (address) => {
      const made = await ask<{ hash: string; creator: string } | null>('ots_getContractCreator', [address])
      return made ? [{ contractAddress: address, contractCreator: made.creator, txHash: made.hash }] : []
    }),
  )
  const all = found.flat()
  return all.length > 0 ? success(all) : ok({ status: '0', message: 'No data found', result: null })
}
