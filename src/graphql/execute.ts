import { type ExecutionResult, execute, GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { andThen } from '../primitives/andThen.ts'
import { createBudget, type QueryLimits } from './budget.ts'
import type { QueryContext } from './context.ts'
import { createDocuments, type Prepared } from './documents.ts'
import { formatError, type ShownError } from './formatError.ts'
import { createLoader } from './loader.ts'
import type { GraphqlPorts } from './ports.ts'
import { abortedError } from './queryErrors.ts'
import { createSchema } from './schema.ts'

/** A query, and what it may come with. */
export interface QueryRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

/** An answer: the status of HTTP and the body. */
export interface QueryReply {
  readonly status: 200 | 400 | 500
  readonly body: object
}

export type Executor = (request: QueryRequest) => QueryReply | Promise<QueryReply>

export interface ExecutorOptions {
  readonly longAsHex: boolean
  readonly limits?: QueryLimits
}

export interface ExecutorPorts extends GraphqlPorts {
  /** Milliseconds since some moment. */
  now(): number
  /** Told of errors that no client caused. */
  onInternalError(error: unknown): void
}

/** Besu's bound on what a query may ask for, before anything is known about the lengths of lists. */
const maxComplexity = 200
/** The bound of queries that ask for nothing but the schema: tools ask for all of it. */
const maxIntrospection = 1000
const defaultLimits: QueryLimits = { values: 500_000, time: 5_000 }

const plainFailure = (message: string): QueryReply => ({ status: 500, body: { errors: [{ message }] } })

/** The operation to run, or the reply to a request that names none, or one that there is not. */
function chooseOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
): OperationDefinitionNode | QueryReply {
  if (name === undefined || name === '') {
    if (operations.length > 1) return plainFailure('Must provide operation name if query contains multiple operations.')
    return operations[0] ?? plainFailure('Must define at least one operation in the query')
  }
  return operations.find((one) => one.name?.value === name) ?? plainFailure(`Unknown operation named '${name}'.`)
}

function complexityError(prepared: Prepared, operation: OperationDefinitionNode): GraphQLError | undefined {
  const { cost, costOfData } = prepared.complexity(operation)
  if (costOfData > maxComplexity) return abortedError(`maximum query complexity exceeded ${cost} > ${maxComplexity}`)
  return cost > maxIntrospection
    ? abortedError(`maximum query complexity exceeded ${cost} > ${maxIntrospection}`)
    : undefined
}

/** Runs queries. Each reads one snapshot of the chain, from its first field to its last. */
export function createExecutor(options: ExecutorOptions, ports: ExecutorPorts): Executor {
  const schema: GraphQLSchema = createSchema(options.longAsHex)
  const documents = createDocuments(schema)
  const limits = options.limits ?? defaultLimits

  function refusal(errors: readonly GraphQLError[]): QueryReply {
    return { status: 400, body: { errors: errors.map((error) => formatError(error, ports.onInternalError)) } }
  }

  function replyOf({ data, errors }: ExecutionResult): QueryReply {
    if (!errors) return { status: 200, body: { data } }
    const shown: ShownError[] = errors.map((error) => formatError(error, ports.onInternalError))
    const failure = errors.find(({ originalError }) => isFailure(originalError))
    if (failure) return plainFailure(failure.originalError!.message)
    return { status: 400, body: data === undefined ? { errors: shown } : { errors: shown, data } }
  }

  return ({ query, operationName, variables }) => {
    const prepared = documents(query)
    if (!('document' in prepared)) return refusal(prepared)
    const operation = chooseOperation(prepared.operations, operationName)
    if (!('kind' in operation)) return operation
    if (operation.operation === 'subscription') return plainFailure('Object required to be not null')
    const tooComplex = complexityError(prepared, operation)
    if (tooComplex) return refusal([tooComplex])
    const budget = createBudget(limits, ports.now)
    const context: QueryContext = {
      ports,
      budget,
      load: createLoader(ports.chain(), budget),
      weights: prepared.complexity(operation).weights,
    }
    const result = execute({
      schema,
      document: prepared.document,
      operationName: operationName || null,
      variableValues: variables ?? null,
      contextValue: context,
    })
    return andThen(result as ExecutionResult | Promise<ExecutionResult>, replyOf)
  }
}

/** A variable that, in Besu, is a failure of the server. */
function isFailure(error: unknown): boolean {
  return error instanceof GraphQLError && error.extensions['status'] === 500
}
