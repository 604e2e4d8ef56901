import { type ASTNode, GraphQLError, type Source } from 'graphql'

/** What kind of error it is, as graphql-java names them. */
type Classification = 'InvalidSyntax' | 'ValidationError' | 'ExecutionAborted'

function extensions(classification: Classification) {
  return { extensions: { classification } }
}

/** Text that is no query, with the place where it stops being one. */
export function syntaxError(message: string, source: Source, position: number): GraphQLError {
  return new GraphQLError(message, { source, positions: [position], ...extensions('InvalidSyntax') })
}

/** A query that does not fit the schema. `path` leads to the field that is at fault. */
export function validationError(
  kind: string,
  path: readonly string[],
  text: string,
  nodes: readonly ASTNode[],
): GraphQLError {
  const where = path.length === 0 ? kind : `${kind}@[${path.join('/')}]`
  return new GraphQLError(`Validation error (${where}) : ${text}`, { nodes, ...extensions('ValidationError') })
}

/** A query that is not even tried. */
export function abortedError(message: string): GraphQLError {
  return new GraphQLError(message, extensions('ExecutionAborted'))
}
