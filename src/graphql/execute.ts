import { type ExecutionResult, execute, GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { andThen } from '../primitives/andThen.ts'
import { createRequestBudget, defaultGasCap } from '../query/requestBudget.ts'
import { createTurns, type Turns } from '../system/turns.ts'
import { createBudget, type QueryLimits } from './budget.ts'
import type { QueryContext } from './context.ts'
import { createDocuments, type PreparedQuery } from './documents.ts'
import { formatError, type ShownError } from './formatError.ts'
import { createLoader } from './loader.ts'
import type { GraphqlPorts } from './ports.ts'
import { abortedError } from './queryErrors.ts'
import { createSchema } from './schema.ts'

/** A query with its variables. */
export interface QueryRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

/** The response to a query. */
export interface QueryReply {
  readonly status: 200 | 400 | 401 | 500
  readonly body: object
}

/** Whether the one who asks may run an operation. */
export type MayRun = (operation: 'query' | 'mutation') => boolean

export type Executor = (request: QueryRequest, mayRun?: MayRun) => QueryReply | Promise<QueryReply>

export interface ExecutorOptions {
  readonly longAsHex: boolean
  readonly limits?: QueryLimits
  /** Maximum gas of one call; 0 means no limit. */
  readonly gasCap?: bigint
}

export interface ExecutorPorts extends GraphqlPorts {
  /** Milliseconds since an arbitrary moment. */
  now(): number
  /** Called with errors that no client caused. */
  onInternalError(error: unknown): void
  /** Shared with everything else that keeps the thread busy for long. */
  readonly turns?: Turns | undefined
}

/** Besu's maximum complexity of a query. */
const maxComplexity = 200
/** Maximum complexity of a query of the schema alone: tools query all of it. */
const maxIntrospection = 1000
const defaultLimits: QueryLimits = { values: 500_000, time: 5_000 }

/** The response to one who may not run the operation. */
const unauthorized: QueryReply = {
  status: 401,
  body: { errors: [{ message: 'Unauthorized' }] },
}

const plainFailure = (message: string): QueryReply => ({ status: 500, body: { errors: [{ message }] } })

/** The operation to run, or the reply if the name is missing or unknown. */
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

function complexityError(prepared: PreparedQuery, operation: OperationDefinitionNode): GraphQLError | undefined {
  const { cost, costOfData } = prepared.complexity(operation)
  if (costOfData > maxComplexity) return abortedError(`maximum query complexity exceeded ${cost} > ${maxComplexity}`)
  return cost > maxIntrospection
    ? abortedError(`maximum query complexity exceeded ${cost} > ${maxIntrospection}`)
    : undefined
}

/** Runs queries. All fields of a query read one snapshot of the chain. */
export function createExecutor(options: ExecutorOptions, ports: ExecutorPorts): Executor {
  const schema: GraphQLSchema = createSchema(options.longAsHex)
  const documents = createDocuments(schema)
  const { limits = defaultLimits, gasCap = defaultGasCap } = options
  const { turns = createTurns(ports.now) } = ports

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

  return ({ query, operationName, variables }, mayRun) => {
    const prepared = documents(query)
    if (!('document' in prepared)) return refusal(prepared)
    const operation = chooseOperation(prepared.operations, operationName)
    if (!('kind' in operation)) return operation
    if (operation.operation === 'subscription') return plainFailure('Object required to be not null')
    if (mayRun?.(operation.operation) === false) return unauthorized
    const tooComplex = complexityError(prepared, operation)
    if (tooComplex) return refusal([tooComplex])
    const budget = createBudget(limits, ports.now)
    const context: QueryContext = {
      ports,
      budget,
      trials: createRequestBudget({ gasCap, time: limits.time }, ports.now),
      turns,
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

/** Whether the error is of a variable for which Besu answers with status 500. */
function isFailure(error: unknown): boolean {
  return error instanceof GraphQLError && error.extensions['status'] === 500
}
