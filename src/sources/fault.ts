import { Fault } from '../primitives/fault.ts'

/** What a compiler says of sources. */
export interface CompilerMessage {
  readonly severity: string
  readonly type?: string
  readonly message: string
  readonly formattedMessage?: string
}

/** Why sources are not taken; the codes are those of Sourcify, whose clients know some of them. */
export type SourceFault =
  | { readonly code: 'invalid_json' }
  | { readonly code: 'invalid_parameter'; readonly reason: string }
  | { readonly code: 'unsupported_chain'; readonly chainId: string; readonly own: string }
  | { readonly code: 'unsupported_language'; readonly language: string }
  | { readonly code: 'unsupported_compiler_version'; readonly version: string; readonly have: readonly string[] }
  | { readonly code: 'job_not_found'; readonly id: string }
  | { readonly code: 'route_not_found' }
  | { readonly code: 'unauthorized' }
  | { readonly code: 'too_many_requests'; readonly reason: string }
  | { readonly code: 'duplicate_verification_request'; readonly address: string }
  | { readonly code: 'already_verified'; readonly address: string }
  | { readonly code: 'storage_full'; readonly reason: string }
  | { readonly code: 'contract_not_deployed'; readonly chainId: string; readonly address: string }
  | {
      readonly code: 'missing_or_invalid_source'
      readonly missing: readonly string[]
      readonly invalid: readonly string[]
    }
  | { readonly code: 'invalid_compilation_target' }
  | { readonly code: 'compiler_error'; readonly errors: readonly CompilerMessage[] }
  | { readonly code: 'compiler_ended'; readonly how: string }
  | {
      readonly code: 'contract_not_found_in_compiler_output'
      readonly target: string
      readonly have: readonly string[]
    }
  | { readonly code: 'compiled_bytecode_is_zero' }
  | { readonly code: 'compiled_too_long'; readonly characters: number; readonly max: number }
  | { readonly code: 'extra_file_input_bug' }
  | { readonly code: 'no_match' }
  | { readonly code: 'no_similar_match_found' }
  | { readonly code: 'wrong_constructor_arguments'; readonly given: string; readonly actual: string }
  | { readonly code: 'internal_error' }

/** Sources that are not taken; its message is a sentence for those who sent them. */
export class SourceError extends Fault<SourceFault> {
  constructor(at: SourceFault, cause?: unknown) {
    super(at, cause, sentenceOf(at))
  }
}

function sentenceOf(at: SourceFault): string {
  switch (at.code) {
    case 'invalid_json':
      return 'The request is not JSON.'
    case 'invalid_parameter':
      return at.reason
    case 'unsupported_chain':
      return `Chain ${at.chainId} is not the chain of this node, which is ${at.own}.`
    case 'unsupported_language':
      return `Sources in ${at.language} cannot be compiled here: only Solidity and Yul can.`
    case 'unsupported_compiler_version':
      return `This node has no compiler ${at.version}. It has: ${at.have.join(', ') || 'none'}. Its operator can add one to the folder that --explorer-sources-compilers names.`
    case 'job_not_found':
      return `No verification job found for id ${at.id}`
    case 'route_not_found':
      return 'There is nothing at this path.'
    case 'unauthorized':
      return 'Not permitted: log in as a user who has the permission, and send the token.'
    case 'too_many_requests':
      return at.reason
    case 'duplicate_verification_request':
      return `Contract ${at.address} is already being verified`
    case 'already_verified':
      return `Contract ${at.address} is already verified, and these sources do not match better.`
    case 'storage_full':
      return at.reason
    case 'contract_not_deployed':
      return `Chain #${at.chainId} does not have a contract deployed at ${at.address}.`
    case 'missing_or_invalid_source':
      return `Sources that the metadata names are missing or have another hash. Missing sources: ${at.missing.join(', ')}; Invalid sources: ${at.invalid.join(', ')}`
    case 'invalid_compilation_target':
      return 'The metadata must name one contract as its compilationTarget.'
    case 'compiler_error':
      return `Compiler error. ${at.errors.map(({ formattedMessage, message }) => formattedMessage ?? message).join('\n')}`
    case 'compiler_ended':
      return `The compiler was stopped: ${at.how}.`
    case 'contract_not_found_in_compiler_output':
      return `Contract ${at.target} is not in the sources. They have: ${at.have.join(', ')}.`
    case 'compiled_bytecode_is_zero':
      return 'The contract compiles to no code: it is abstract, or an interface.'
    case 'compiled_too_long':
      return `What the compiler says of the contract has ${at.characters} characters of JSON; ${at.max} are taken. A parameter that is a struct of structs of structs may be why.`
    case 'extra_file_input_bug':
      return 'The hashes of the metadata match and the code does not: old compilers made other code when other files were given with the contract. Send the standard JSON input of the deployment, with all its files.'
    case 'no_match':
      return "The deployed and recompiled bytecode don't match."
    case 'no_similar_match_found':
      return 'No verified contract has this code.'
    case 'wrong_constructor_arguments':
      return `The contract was created with other constructor arguments: ${at.actual || 'none'}, not ${at.given}.`
    case 'internal_error':
      return 'The server encountered an unexpected error.'
  }
}
