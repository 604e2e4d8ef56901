import {
  type ExactJsonObject,
  formatExactJson,
  isJsonObject,
  type Json,
  numeralOf,
  parseExactJson,
} from '../exactJson.ts'

/** A key of a genesis file that gets another value. */
export interface GenesisChange {
  readonly path: readonly string[]
  readonly value: bigint | boolean | string
}

function toJson(value: GenesisChange['value']): Json {
  return typeof value === 'bigint' ? numeralOf(value) : value
}

/** Keys are read without regard to case: the key that is there is the one that is set. */
function set(object: ExactJsonObject, [name, ...rest]: readonly string[], value: Json): ExactJsonObject {
  const key = Object.keys(object).find((one) => one.toLowerCase() === name!.toLowerCase()) ?? name!
  const inner = object[key]
  return { ...object, [key]: rest.length === 0 ? value : set(isJsonObject(inner) ? inner : {}, rest, value) }
}

/** The genesis file with changes; all other values stay as they are written. */
export function withChanges(text: string, changes: readonly GenesisChange[]): string {
  let genesis = parseExactJson(text)
  for (const { path, value } of changes) if (isJsonObject(genesis)) genesis = set(genesis, path, toJson(value))
  return `${formatExactJson(genesis)}\n`
}
