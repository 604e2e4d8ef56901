import { type CompilerMessage, SourceError } from '../fault.ts'
import { auxdataOfAssembly, findAuxdata, placeAtEnd } from '../matching/auxdataPlaces.ts'
import type { Auxdata, CompiledContract, ImmutableReferences, LinkReferences } from '../matching/compiled.ts'
import type { StandardJson, Target } from './standardJson.ts'

/** Runs a compiler: standard JSON in, standard JSON out. */
export type RunCompiler = (input: string) => Promise<string>

interface BytecodeOutput {
  readonly object?: string
  readonly sourceMap?: string
  readonly linkReferences?: LinkReferences
  readonly immutableReferences?: ImmutableReferences
}

interface ContractOutput {
  readonly abi?: readonly unknown[]
  readonly userdoc?: unknown
  readonly devdoc?: unknown
  readonly storageLayout?: unknown
  readonly transientStorageLayout?: unknown
  readonly metadata?: string
  readonly evm?: {
    readonly legacyAssembly?: unknown
    readonly bytecode?: BytecodeOutput
    readonly deployedBytecode?: BytecodeOutput
  }
}

interface CompilerOutput {
  readonly errors?: readonly CompilerMessage[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, ContractOutput>>>>
  readonly sources?: Readonly<Record<string, { readonly id: number | string }>>
}

const codeOf = (kind: 'bytecode' | 'deployedBytecode') =>
  ['object', 'sourceMap', 'linkReferences'].map((name) => `evm.${kind}.${name}`)

/** What is asked of the contract itself. */
const outputs = [
  ...['abi', 'devdoc', 'userdoc', 'metadata', 'storageLayout', 'transientStorageLayout', 'evm.legacyAssembly'],
  ...codeOf('bytecode'),
  ...codeOf('deployedBytecode'),
  'evm.deployedBytecode.immutableReferences',
]

/** Messages that are passed on, and characters of each. */
const maxMessages = { count: 20, length: 2000 }

/** Compiles one contract. Throws a SourceError if the compiler refuses it, or does not know it. */
export async function compileContract(
  input: StandardJson,
  target: Target,
  run: RunCompiler,
): Promise<CompiledContract> {
  const output = parse(await run(requestOf(input, target)))
  const contract = contractIn(output, target)
  const { bytecode = {}, deployedBytecode = {}, legacyAssembly } = contract.evm ?? {}
  const [creation, runtime] = [bytecode.object ?? '', deployedBytecode.object ?? '']
  if (creation === '' || runtime === '') throw new SourceError({ code: 'compiled_bytecode_is_zero' })
  const auxdata = await findPlaces({ creation, runtime, auxdata: auxdataOfAssembly(legacyAssembly) }, async () => {
    const other = contractIn(parse(await run(requestOf(edited(input), target))), target)
    return {
      creation: other.evm?.bytecode?.object ?? '',
      runtime: other.evm?.deployedBytecode?.object ?? '',
      auxdata: auxdataOfAssembly(other.evm?.legacyAssembly),
    }
  })
  const { abi = [], userdoc, devdoc, storageLayout, transientStorageLayout, metadata } = contract
  return {
    ...{ abi, userdoc, devdoc, storageLayout, transientStorageLayout, metadata },
    sourceIds: Object.fromEntries(
      Object.entries(output.sources ?? {}).map(([path, { id }]) => [path, { id: Number(id) }]),
    ),
    creation: {
      ...{ code: creation, sourceMap: bytecode.sourceMap, linkReferences: bytecode.linkReferences ?? {} },
      auxdata: auxdata.creation,
    },
    runtime: {
      ...{
        code: runtime,
        sourceMap: deployedBytecode.sourceMap,
        linkReferences: deployedBytecode.linkReferences ?? {},
      },
      auxdata: auxdata.runtime,
      immutableReferences: deployedBytecode.immutableReferences ?? {},
    },
  }
}

function requestOf(input: StandardJson, { path, name }: Target): string {
  const outputSelection = {
    // The code of all contracts, as tools ask for it: what else is compiled has changed a contract's code in some versions.
    '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] },
    [path]: { [name]: outputs },
  }
  return JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } })
}

/** The same sources with another hash. */
function edited(input: StandardJson): StandardJson {
  const sources = Object.entries(input.sources).map(([path, { content }]) => [path, { content: `${content} ` }])
  return { ...input, sources: Object.fromEntries(sources) as StandardJson['sources'] }
}

function parse(text: string): CompilerOutput {
  let output: CompilerOutput
  try {
    output = JSON.parse(text) as CompilerOutput
  } catch (error) {
    throw new SourceError({ code: 'compiler_ended', how: 'it wrote no JSON' }, error)
  }
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return output
  const cut = (message: string | undefined) => message?.slice(0, maxMessages.length)
  throw new SourceError({
    code: 'compiler_error',
    errors: errors.slice(0, maxMessages.count).map(({ severity, type, message, formattedMessage }) => ({
      severity,
      message: cut(message) ?? '',
      ...(type !== undefined && { type }),
      ...(formattedMessage !== undefined && { formattedMessage: cut(formattedMessage)! }),
    })),
  })
}

function contractIn({ contracts = {} }: CompilerOutput, { path, name }: Target): ContractOutput {
  // Before 0.4.9 contracts were listed without their source.
  const contract = contracts[path]?.[name] ?? contracts['']?.[name]
  if (contract) return contract
  const have = Object.entries(contracts).flatMap(([source, names]) =>
    Object.keys(names).map((one) => `${source}:${one}`),
  )
  throw new SourceError({
    code: 'contract_not_found_in_compiler_output',
    target: `${path}:${name}`,
    have: have.slice(0, 50).map((one) => one.slice(0, 200)),
  })
}

interface Codes {
  readonly creation: string
  readonly runtime: string
  readonly auxdata: readonly string[]
}

/** Where the auxiliary data stands; the sources are compiled again only where it is not just at the end. */
async function findPlaces(
  codes: Codes,
  compileEdited: () => Promise<Codes>,
): Promise<{ readonly creation: Auxdata | undefined; readonly runtime: Auxdata | undefined }> {
  const { auxdata } = codes
  if (auxdata.length === 0) return { creation: {}, runtime: {} }
  let runtime: Auxdata | undefined
  if (auxdata.length === 1) {
    const creation = placeAtEnd(codes.creation)
    runtime = placeAtEnd(codes.runtime)
    if (!runtime || creation) return { creation, runtime }
  }
  const other = await compileEdited()
  const find = (kind: 'creation' | 'runtime') =>
    findAuxdata({ code: codes[kind], auxdata }, { code: other[kind], auxdata: other.auxdata })
  return { creation: find('creation'), runtime: runtime ?? find('runtime') }
}
