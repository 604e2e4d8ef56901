import { Mismatch } from '../../../src/evmtool/expect.ts'

type Schema = Readonly<Record<string, unknown>>

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

/** Why a value does not fit a JSON schema, as far as execution-apis uses schemas; undefined when it does. */
function misfit(value: unknown, schema: Schema, path: string): string | undefined {
  const { type, pattern, enum: allowed, const: only, oneOf, anyOf, allOf } = schema
  const have = typeOf(value)
  if (typeof type === 'string' && type !== have && !(type === 'number' && have === 'integer'))
    return `${path} is of type ${have}, expected ${type}`
  if (typeof pattern === 'string' && typeof value === 'string' && !new RegExp(pattern).test(value))
    return `${path} is ${value}, expected ${pattern}`
  if (Array.isArray(allowed) && !allowed.includes(value))
    return `${path} is ${String(value)}, expected one of ${allowed}`
  if (only !== undefined && only !== value) return `${path} is ${String(value)}, expected ${String(only)}`
  for (const one of (allOf ?? []) as Schema[]) {
    const why = misfit(value, one, path)
    if (why !== undefined) return why
  }
  const choices = (oneOf ?? anyOf) as Schema[] | undefined
  if (choices) {
    const reasons = choices.map((one) => misfit(value, one, path))
    if (!reasons.includes(undefined)) return reasons[0]
  }
  if (have === 'array' && schema['items'])
    return first((value as unknown[]).map((one, i) => misfit(one, schema['items'] as Schema, `${path}[${i}]`)))
  return have === 'object' ? memberMisfit(value as Record<string, unknown>, schema, path) : undefined
}

function memberMisfit(value: Record<string, unknown>, schema: Schema, path: string): string | undefined {
  const { required = [], properties = {}, additionalProperties } = schema
  const known = properties as Record<string, Schema>
  for (const name of required as string[]) if (!(name in value)) return `${path}.${name} is missing`
  return first(
    Object.entries(value).map(([name, member]) => {
      const own = known[name]
      if (own) return misfit(member, own, `${path}.${name}`)
      if (additionalProperties === false) return `${path}.${name} is not expected`
      const others = typeof additionalProperties === 'object' ? (additionalProperties as Schema) : {}
      return misfit(member, others, `${path}.${name}`)
    }),
  )
}

function first(reasons: readonly (string | undefined)[]): string | undefined {
  return reasons.find((reason) => reason !== undefined)
}

/** Checks a value against a schema. */
export function expectSchema(value: unknown, schema: Schema): void {
  const why = misfit(value, schema, '$')
  if (why !== undefined) throw new Mismatch(why)
}
