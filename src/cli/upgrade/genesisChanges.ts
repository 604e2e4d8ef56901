import {
  type ExactJsonObject,
  formatExactJson,
  isJsonObject,
  type Json,
  numeralOf,
  parseExactJson,
} from '../exactJson.ts'

type Value = bigint | boolean | string | readonly string[]

/** A key of a genesis file that gets another value, or one more entry of its list. */
export interface GenesisChange {
  readonly path: readonly string[]
  readonly value: Value | { readonly entry: Readonly<Record<string, Value>> }
}

function toJson(value: Value): Json {
  if (typeof value === 'bigint') return numeralOf(value)
  return typeof value === 'object' ? [...value] : value
}

function changed(former: Json | undefined, value: GenesisChange['value']): Json {
  if (typeof value !== 'object' || !('entry' in value)) return toJson(value)
  const entry = Object.fromEntries(Object.entries(value.entry).map(([key, one]) => [key, toJson(one)]))
  return [...(Array.isArray(former) ? former : []), entry]
}

/** Keys are read without regard to case: the key that is there is the one that is set. */
function set(
  object: ExactJsonObject,
  [name, ...rest]: readonly string[],
  value: GenesisChange['value'],
): ExactJsonObject {
  const key = Object.keys(object).find((one) => one.toLowerCase() === name!.toLowerCase()) ?? name!
  const inner = object[key]
  return {
    ...object,
    [key]: rest.length === 0 ? changed(inner, value) : set(isJsonObject(inner) ? inner : {}, rest, value),
  }
}

/** The genesis file with changes; all other values stay as they are written. */
export function withChanges(text: string, changes: readonly GenesisChange[]): string {
  let genesis = parseExactJson(text)
  for (const { path, value } of changes) if (isJsonObject(genesis)) genesis = set(genesis, path, value)
  return `${formatExactJson(genesis)}\n`
}
