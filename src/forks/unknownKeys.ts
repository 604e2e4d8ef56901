import { suggest } from '../primitives/suggest.ts'
import type { GenesisFile } from './genesisFile.ts'
import { bftTransitionKeys, cliqueTransitionKeys, configKeys, ibft2TransitionKeys, sectionKeys } from './genesisKeys.ts'
import { type GenesisObject, toJsonObject } from './jsonObject.ts'

/** A key of a genesis file that nobody reads. */
export interface UnknownKey {
  /** Lower case, with the section that it is in: `config.shangaitime`. */
  readonly key: string
  /** The key that is probably meant. */
  readonly meant: string | undefined
}

const transitionKeys: Readonly<Record<string, object>> = { clique: cliqueTransitionKeys, ibft2: ibft2TransitionKeys }

/** bpo1Time, bpo2Time … */
const blobChange = /^bpo\d+time$/

/** Returns the keys of the genesis file's `config` that have no meaning: most likely they are misspelled. */
export function unknownKeys({ config }: GenesisFile): readonly UnknownKey[] {
  const found = unknownIn(config, 'config', Object.keys(configKeys))
  for (const [name, keys] of Object.entries(sectionKeys))
    found.push(...inside(config.get(name.toLowerCase()), `config.${name.toLowerCase()}`, Object.keys(keys)))
  const transitions = config.get('transitions')
  if (!isObject(transitions)) return found
  for (const [name, entries] of toJsonObject(transitions, 'transitions')) {
    const known = Object.keys(transitionKeys[name] ?? bftTransitionKeys)
    if (Array.isArray(entries))
      for (const entry of entries) found.push(...inside(entry, `config.transitions.${name}`, known))
  }
  return found
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inside(value: unknown, at: string, known: readonly string[]): UnknownKey[] {
  return isObject(value) ? unknownIn(toJsonObject(value, at), at, known) : []
}

function unknownIn(section: GenesisObject, at: string, known: readonly string[]): UnknownKey[] {
  const byLowerCase = new Map(known.map((key) => [key.toLowerCase(), key]))
  return [...section.keys()]
    .filter((key) => !byLowerCase.has(key) && !blobChange.test(key))
    .map((key) => {
      const [near] = suggest(key, [...byLowerCase.keys()])
      return { key: `${at}.${key}`, meant: near === undefined ? undefined : byLowerCase.get(near) }
    })
}
