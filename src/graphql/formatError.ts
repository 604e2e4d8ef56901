import { GraphQLError, Kind, print, type SourceLocation, type VariableDefinitionNode } from 'graphql'
import { codeOf, internalError } from './codes.ts'
import { QueryError } from './fault.ts'

/** An error of a response. */
export interface ShownError {
  readonly message: string
  readonly locations?: readonly SourceLocation[]
  readonly path?: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** The path of a field, as Besu writes it. */
function pathText(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `/${step}`)).join('')
}

/** A variable that is missing or has the wrong type. */
function variableError({ variable, type }: VariableDefinitionNode, error: GraphQLError): ShownError {
  const extensions = { classification: 'ValidationError' }
  const cause = error.originalError
  // Some messages of Besu do not name the variable.
  if (cause instanceof GraphQLError && cause.extensions['bare']) return { message: cause.message, extensions }
  const name = variable.name.value
  const text = cause?.message ?? `Variable '${name}' has coerced Null value for NonNull type '${print(type)}'`
  return shown(error, `Variable '${name}' has an invalid value: ${text}`, extensions)
}

function shown(error: GraphQLError, message: string, extensions: object): ShownError {
  const { locations, path } = error
  return {
    message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: extensions as ShownError['extensions'],
  }
}

/** A field that could not be resolved. */
function fetchingError(error: GraphQLError, onInternalError: (error: unknown) => void): ShownError {
  const cause = error.originalError
  if (!cause) {
    const message = `The field at path '${pathText(error.path ?? [])}' was declared as a non null type, but is null`
    onInternalError(error)
    return { message, path: error.path ?? [], extensions: { classification: 'NullValueInNonNullableField' } }
  }
  let known = codeOf(cause)
  if (!known && !(cause instanceof QueryError)) {
    known = internalError
    onInternalError(cause)
  }
  const text = known ? known[1] : cause.message
  const numbers = known && { errorCode: known[0], errorMessage: known[1] }
  return shown(error, `Exception while fetching data (${pathText(error.path ?? [])}) : ${text}`, {
    ...numbers,
    classification: 'DataFetchingException',
  })
}

/** The error as Besu shows it. Errors that no client caused are passed to `onInternalError`. */
export function formatError(error: GraphQLError, onInternalError: (error: unknown) => void): ShownError {
  const { classification } = error.extensions
  if (classification !== undefined) return shown(error, error.message, { classification })
  const node = error.nodes?.[0]
  if (node?.kind === Kind.VARIABLE_DEFINITION) return variableError(node, error)
  return fetchingError(error, onInternalError)
}
