import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  validate,
  visit,
} from 'graphql'
import { type Complexity, complexityOf } from './complexity.ts'
import { parseQuery } from './parseQuery.ts'
import { abortedError } from './queryErrors.ts'
import { validationRules } from './validationRules.ts'

/** A query that was parsed and validated. */
export interface PreparedQuery {
  readonly document: DocumentNode
  readonly operations: readonly OperationDefinitionNode[]
  /** The complexity of an operation, computed once. */
  complexity(operation: OperationDefinitionNode): Complexity
}

export type Documents = (text: string) => PreparedQuery | readonly GraphQLError[]

/** Maximum number of fields in a query: validation compares each with each. */
const maxFields = 2000
/** Limits of the cache: queries, characters of one query and of all. A parsed query takes fifty times its length. */
const cacheLimits = { texts: 500, ofOne: 16 << 10, ofAll: 512 << 10 }

function countFields(document: DocumentNode): number {
  let count = 0
  visit(document, { Field: { enter: () => void count++ } })
  return count
}

function prepare(schema: GraphQLSchema, text: string): PreparedQuery | readonly GraphQLError[] {
  let document: DocumentNode
  try {
    document = parseQuery(text)
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    throw error
  }
  const fields = countFields(document)
  if (fields > maxFields) return [abortedError(`maximum query complexity exceeded ${fields} > ${maxFields}`)]
  const errors = validate(schema, document, validationRules)
  if (errors.length > 0) return errors
  const known = new Map<OperationDefinitionNode, Complexity>()
  return {
    document,
    operations: document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION),
    complexity(operation) {
      let complexity = known.get(operation)
      if (!complexity) known.set(operation, (complexity = complexityOf(schema, document, operation)))
      return complexity
    },
  }
}

/** Parses and validates queries; recent ones are cached. */
export function createDocuments(schema: GraphQLSchema): Documents {
  const kept = new Map<string, PreparedQuery>()
  let characters = 0

  function forgetOldest(): void {
    const [oldest] = kept.keys()
    kept.delete(oldest!)
    characters -= oldest!.length
  }

  return (text) => {
    const found = kept.get(text)
    if (found) return found
    const prepared = prepare(schema, text)
    if (!('document' in prepared) || text.length > cacheLimits.ofOne) return prepared
    kept.set(text, prepared)
    characters += text.length
    while (kept.size > cacheLimits.texts || characters > cacheLimits.ofAll) forgetOldest()
    return prepared
  }
}
