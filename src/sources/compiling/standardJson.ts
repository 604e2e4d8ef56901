import { isJsonObject, type JsonObject } from '../../primitives/json.ts'
import { SourceError } from '../fault.ts'

/** Input of a compiler, each source with its text. */
export interface StandardJson {
  readonly language: 'Solidity' | 'Yul'
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  readonly settings: JsonObject
}

/** The contract in question. */
export interface Target {
  readonly path: string
  readonly name: string
}

const invalid = (reason: string) => new SourceError({ code: 'invalid_parameter', reason })

/**
 * Checks standard JSON. What is no part of it that decides the code is left out: the choice of outputs, where to stop, and the model
 * checker, which runs other programs for as long as it likes. Sources have to be there: nothing is read or fetched.
 */
export function readStandardJson(json: unknown): StandardJson {
  if (!isJsonObject(json)) throw invalid('Standard JSON input is required.')
  const { language, sources, settings = {} } = json
  if (language !== 'Solidity' && language !== 'Yul')
    throw new SourceError({ code: 'unsupported_language', language: String(language) })
  if (!isJsonObject(sources) || Object.keys(sources).length === 0)
    throw invalid('Standard JSON input must contain a sources field.')
  if (!isJsonObject(settings)) throw invalid('The settings of standard JSON input must be an object.')
  const { outputSelection: _, stopAfter: __, modelChecker: ___, ...kept } = settings
  const texts = Object.entries(sources).map(([path, source]) => {
    if (!isJsonObject(source) || typeof source['content'] !== 'string')
      throw invalid('Standard JSON input must contain a content field for each source.')
    return [path, { content: source['content'] }] as const
  })
  return { language, sources: Object.fromEntries(texts), settings: kept }
}

/** Characters of path and name: what is kept of a job that failed says them. */
const maxIdentifier = 1000

/** Characters of standard JSON that a client decides about. */
export function lengthOf({ sources, settings }: StandardJson): number {
  const texts = Object.entries(sources).reduce((sum, [path, { content }]) => sum + path.length + content.length, 0)
  return texts + JSON.stringify(settings).length
}

/** Reads `path/to/File.sol:Name`; the path may have colons itself. */
export function readTarget(identifier: unknown): Target {
  if (typeof identifier !== 'string' || !identifier.includes(':'))
    throw invalid("The contractIdentifier must consist of the file path and the contract name separated by a ':'.")
  if (identifier.length > maxIdentifier)
    throw invalid(`The contractIdentifier is longer than ${maxIdentifier} characters.`)
  const at = identifier.lastIndexOf(':')
  return { path: identifier.slice(0, at), name: identifier.slice(at + 1) }
}
