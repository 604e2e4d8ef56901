import { type ASTNode, GraphQLError, type Source } from 'graphql'

/** The classification of an error in graphql-java. */
type Classification = 'InvalidSyntax' | 'ValidationError' | 'ExecutionAborted'

function extensions(classification: Classification) {
  return { extensions: { classification } }
}

/** A syntax error with its location. */
export function syntaxError(message: string, source: Source, position: number): GraphQLError {
  return new GraphQLError(message, { source, positions: [position], ...extensions('InvalidSyntax') })
}

/** A query that does not match the schema; `path` names the invalid field. */
export function validationError(
  kind: string,
  path: readonly string[],
  text: string,
  nodes: readonly ASTNode[],
): GraphQLError {
  const where = path.length === 0 ? kind : `${kind}@[${path.join('/')}]`
  return new GraphQLError(`Validation error (${where}) : ${text}`, { nodes, ...extensions('ValidationError') })
}

/** A query that is refused before it is executed. */
export function abortedError(message: string): GraphQLError {
  return new GraphQLError(message, extensions('ExecutionAborted'))
}
