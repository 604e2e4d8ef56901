import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type ObjectValueNode,
  type ValueNode,
} from 'graphql'
import { showValue } from './showValue.ts'

/** Why a literal is invalid: the path of the invalid part, and the message of graphql-java. */
interface Misfit {
  readonly path: string
  readonly text: string
}

const here = (value: ValueNode, text: string): Misfit => ({
  path: '',
  text: `with value '${showValue(value)}' ${text}`,
})

/** The first error of a literal of this type; undefined if it is valid. Variables are not checked here. */
export function misfitOf(value: ValueNode, type: GraphQLInputType): Misfit | undefined {
  if (value.kind === Kind.VARIABLE) return undefined
  if (value.kind === Kind.NULL) return isNonNullType(type) ? here(value, 'must not be null') : undefined
  const nullable = getNullableType(type)
  if (isListType(nullable)) {
    if (value.kind !== Kind.LIST) return misfitOf(value, nullable.ofType)
    return first(value.values, (item, i) => inside(`[${i}]`, misfitOf(item, nullable.ofType)))
  }
  const named = getNamedType(nullable)
  if (isInputObjectType(named))
    return value.kind === Kind.OBJECT ? objectMisfit(value, named) : here(value, 'must be an object type')
  return leafMisfit(value, named)
}

function objectMisfit(value: ObjectValueNode, type: GraphQLInputObjectType): Misfit | undefined {
  const fields = type.getFields()
  const given = new Set(value.fields.map(({ name }) => name.value))
  const missing = Object.values(fields).filter((field) => isRequiredInputField(field) && !given.has(field.name))
  if (missing.length > 0)
    return here(value, `is missing required fields '[${missing.map(({ name }) => name).join(', ')}]'`)
  return first(value.fields, ({ name, value: inner }) => {
    const field = fields[name.value]
    if (!field) return here(value, `contains a field not in '${type.name}': '${name.value}'`)
    return inside(`.${name.value}`, misfitOf(inner, field.type))
  })
}

function leafMisfit(value: ValueNode, type: GraphQLLeafType): Misfit | undefined {
  try {
    if (type.parseLiteral(value, undefined) !== undefined) return undefined
    return here(value, `is not a valid '${type.name}'`)
  } catch (error) {
    return here(value, `is not a valid '${type.name}' - ${(error as Error).message}`)
  }
}

function inside(step: string, misfit: Misfit | undefined): Misfit | undefined {
  return misfit && { path: step + misfit.path, text: misfit.text }
}

function first<T>(items: readonly T[], find: (item: T, index: number) => Misfit | undefined): Misfit | undefined {
  for (const [i, item] of items.entries()) {
    const misfit = find(item, i)
    if (misfit) return misfit
  }
  return undefined
}
