import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** The complexity of an operation, whatever the lengths of its lists. */
export interface Complexity {
  /** As in Besu: 1 per field, and 100 for `Transaction.block` and `__Type.fields`. */
  readonly cost: number
  /** The same without introspection that does not nest types: the size of its response is bounded. */
  readonly costOfData: number
  /** Values in the response per field, with all below it. */
  readonly weights: ReadonlyMap<FieldNode, number>
}

interface Count {
  readonly cost: number
  readonly values: number
  /** How deep lists of fields of types are nested. */
  readonly typeDepth: number
}

const nothing: Count = { cost: 0, values: 0, typeDepth: 0 }
const plainCost = 1
const highCost = 100

function ownCost(parent: string, field: string): number {
  return (parent === 'Transaction' && field === 'block') || (parent === '__Type' && field === 'fields')
    ? highCost
    : plainCost
}

function add(a: Count, b: Count): Count {
  return { cost: a.cost + b.cost, values: a.values + b.values, typeDepth: Math.max(a.typeDepth, b.typeDepth) }
}

/** Counts the fields of an operation of a valid document. */
export function complexityOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Complexity {
  const weights = new Map<FieldNode, number>()
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  /** The complexity of each fragment, computed once: a few lines of fragments can expand to billions of fields. */
  const counted = new Map<string, Count>()

  function typeOf(parent: GraphQLCompositeType, name: string): GraphQLCompositeType | undefined {
    const field =
      name === '__schema' || name === '__type'
        ? schema.getType(name === '__schema' ? '__Schema' : '__Type')
        : isObjectType(parent) || isInterfaceType(parent)
          ? getNamedType(parent.getFields()[name]?.type)
          : undefined
    return isCompositeType(field) ? field : undefined
  }

  function countField(node: FieldNode, parent: GraphQLCompositeType): Count {
    const type = typeOf(parent, node.name.value)
    const below = node.selectionSet && type ? countSet(node.selectionSet, type) : nothing
    const own = ownCost(parent.name, node.name.value)
    const values = below.values + 1
    weights.set(node, values)
    const looksIntoTypes = parent.name === '__Type' && own === highCost
    return { cost: below.cost + own, values, typeDepth: below.typeDepth + (looksIntoTypes ? 1 : 0) }
  }

  function countFragment(name: string): Count {
    const known = counted.get(name)
    if (known) return known
    const fragment = fragments.get(name)
    const type = fragment && schema.getType(fragment.typeCondition.name.value)
    const count = fragment && isCompositeType(type) ? countSet(fragment.selectionSet, type) : nothing
    counted.set(name, count)
    return count
  }

  function countSet({ selections }: SelectionSetNode, parent: GraphQLCompositeType): Count {
    let sum = nothing
    for (const node of selections) {
      if (node.kind === Kind.FIELD) sum = add(sum, countField(node, parent))
      else if (node.kind === Kind.FRAGMENT_SPREAD) sum = add(sum, countFragment(node.name.value))
      else {
        const condition = node.typeCondition && schema.getType(node.typeCondition.name.value)
        sum = add(sum, countSet(node.selectionSet, isCompositeType(condition) ? condition : parent))
      }
    }
    return sum
  }

  const root = schema.getRootType(operation.operation)
  if (!root) return { cost: 0, costOfData: 0, weights }
  const { cost } = countSet(operation.selectionSet, root)
  let bounded = 0
  for (const node of operation.selectionSet.selections) {
    if (node.kind !== Kind.FIELD || !node.name.value.startsWith('__')) continue
    const one = countField(node, root)
    if (one.typeDepth <= 1) bounded += one.cost
  }
  return { cost, costOfData: cost - bounded, weights }
}
