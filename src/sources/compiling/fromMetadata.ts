import { toHex } from '../../primitives/hex.ts'
import { isJsonObject, type JsonObject } from '../../primitives/json.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { SourceError } from '../fault.ts'
import { readStandardJson, readTarget, type StandardJson, type Target } from './standardJson.ts'

/** What a compilation needs that the metadata of a contract says. */
export interface FromMetadata {
  readonly version: string
  readonly input: StandardJson
  readonly target: Target
}

const invalid = (reason: string) => new SourceError({ code: 'invalid_parameter', reason })

function memberOf(json: JsonObject, ...path: readonly string[]): JsonObject {
  let value: unknown = json
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  if (!isJsonObject(value)) throw invalid(`Metadata must contain a ${path.join('.')} field.`)
  return value
}

/** Reads metadata as solc writes it, with the sources beside it under any names: their hashes say which is which. Nothing is fetched. */
export function readMetadata(metadata: unknown, given: unknown): FromMetadata {
  if (!isJsonObject(metadata)) throw invalid('Metadata is required.')
  const { version } = memberOf(metadata, 'compiler')
  if (typeof version !== 'string') throw invalid('Metadata must contain a compiler.version field.')
  const { compilationTarget, libraries, ...settings } = memberOf(metadata, 'settings')
  const targets = isJsonObject(compilationTarget) ? Object.entries(compilationTarget) : []
  const [path, name] = targets[0] ?? []
  if (targets.length !== 1 || path === undefined || typeof name !== 'string')
    throw new SourceError({ code: 'invalid_compilation_target' })
  const sources = findSources(memberOf(metadata, 'sources'), isJsonObject(given) ? given : {})
  const linked = isJsonObject(libraries) ? { libraries: librariesOf(libraries) } : {}
  const input = {
    language: metadata['language'],
    sources,
    settings: { ...withoutInliner(settings, version), ...linked },
  }
  return { version, input: readStandardJson(input), target: readTarget(`${path}:${name}`) }
}

const hashOf = (text: string) => toHex(keccak256(Buffer.from(text)))

/** The same text with the line ends of either kind of system. */
const variants = (text: string) => [text, text.replace(/\r\n/g, '\n'), text.replace(/\r?\n/g, '\r\n')]

function findSources(wanted: JsonObject, given: JsonObject): Record<string, { readonly content: string }> {
  const byHash = new Map<string, string>()
  for (const text of Object.values(given))
    if (typeof text === 'string') for (const variant of variants(text)) byHash.set(hashOf(variant), variant)
  const found: (readonly [path: string, source: { readonly content: string }])[] = []
  const [missing, wrong]: [string[], string[]] = [[], []]
  for (const [path, source] of Object.entries(wanted)) {
    const { keccak256: hash, content } = isJsonObject(source) ? source : {}
    const text = typeof content === 'string' ? content : byHash.get(String(hash).toLowerCase())
    if (text === undefined) missing.push(path)
    else if (hashOf(text) !== String(hash).toLowerCase()) wrong.push(path)
    else found.push([path, { content: text }])
  }
  if (missing.length + wrong.length > 0)
    throw new SourceError({ code: 'missing_or_invalid_source', missing, invalid: wrong })
  return Object.fromEntries(found)
}

/** Metadata has `path:Name → address`, standard JSON `path → Name → address`; names alone until 0.7.4. */
function librariesOf(libraries: JsonObject): Record<string, Record<string, unknown>> {
  // Names are what strangers like: as keys of a Map, `__proto__` is one like any other.
  const linked = new Map<string, Map<string, unknown>>()
  for (const [id, address] of Object.entries(libraries)) {
    const at = id.lastIndexOf(':')
    const path = at < 0 ? '' : id.slice(0, at)
    const names = linked.get(path) ?? new Map<string, unknown>()
    linked.set(path, names.set(id.slice(at + 1), address))
  }
  return Object.fromEntries(Array.from(linked, ([path, names]) => [path, Object.fromEntries(names)]))
}

/** These versions write a setting into their metadata that they do not read. */
function withoutInliner(settings: JsonObject, version: string): JsonObject {
  const { optimizer } = settings
  if (!/^0\.8\.[234]\b/.test(version) || !isJsonObject(optimizer) || !isJsonObject(optimizer['details']))
    return settings
  const { inliner: _, ...details } = optimizer['details']
  return { ...settings, optimizer: { ...optimizer, details } }
}
