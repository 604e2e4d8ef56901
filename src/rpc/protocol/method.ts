import type { JsonText } from '../../jsonrpc/replyText.ts'
import { andThen } from '../../primitives/andThen.ts'
import type { RequestBudget } from '../../query/requestBudget.ts'
import type { Decoder, Encoder, Schema } from '../codecs/codec.ts'
import type { RpcContext, RpcPorts } from './context.ts'
import { invalidParams } from './fault.ts'
import type { Requester } from './requester.ts'

/** A parameter of a method. */
export interface Param<out T> {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** Reads the value; absent and null count as not given. */
  read(json: unknown): T
}

/** A parameter that is required unless there is a fallback. */
export function param<T>(name: string, decoder: Decoder<T>, fallback?: { readonly value: T }): Param<T> {
  return {
    name,
    schema: decoder.schema,
    required: fallback === undefined,
    read(json) {
      if (json !== undefined && json !== null) return decoder.decode(json)
      if (fallback === undefined) throw invalidParams()
      return fallback.value
    },
  }
}

/** A parameter that may be left out. */
export function optionalParam<T>(name: string, decoder: Decoder<T>): Param<T | undefined> {
  return param<T | undefined>(name, decoder, { value: undefined })
}

/** The values of parameters. */
export type Values<P extends readonly Param<unknown>[]> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never }

/** What the file of a method declares. */
export interface Definition<N extends keyof RpcContext, P extends readonly Param<unknown>[], R> {
  readonly name: string
  readonly doc: string
  /** The ports that it uses; if a node lacks one of them, the method is not enabled. */
  readonly needs: readonly N[]
  readonly params: P
  /** Whether calls with more or fewer parameters are refused. */
  readonly fixedCount?: boolean
  readonly result: Encoder<R>
  /** Errors besides invalid parameters. */
  readonly errors?: readonly ErrorDoc[]
  /** Parameters that work on the development network. */
  readonly example?: readonly unknown[]
  /** Served whether or not the method's namespace is enabled. */
  readonly always?: boolean
  /** A second namespace, upper case, that enables the method. */
  readonly alsoIn?: string
  /** Whether successive calls of it in a batch run concurrently; they start in their order. */
  readonly together?: boolean
  /**
   * For methods that may take long: what calls that take about as long have in common. They run in the server until one of them takes
   * long. Without it readers run all calls.
   */
  readonly alike?: (args: readonly unknown[]) => string
  /** For calls that may hang: milliseconds after which a reader that runs one is ended; undefined for the usual time. */
  readonly runTime?: (args: readonly unknown[]) => number | undefined
  handler(context: Pick<RpcContext, N>, args: Values<P>): R | Promise<R>
}

/** An error of a method: its number, and when it occurs. */
export type ErrorDoc = readonly [code: number, when: string]

/** A method, ready to serve: parameters and result are JSON. */
export interface Method {
  readonly name: string
  readonly doc: string
  readonly needs: readonly (keyof RpcContext)[]
  readonly params: readonly Param<unknown>[]
  /** Whether calls with more or fewer parameters are refused. */
  readonly fixedCount: boolean
  readonly result: Schema
  readonly errors: readonly ErrorDoc[]
  readonly example: readonly unknown[]
  readonly always: boolean
  /** A second namespace, upper case, that enables the method. */
  readonly alsoIn: string | undefined
  /** Whether successive calls of it in a batch run concurrently; they start in their order. */
  readonly together: boolean
  /** The kind of a call: calls of one kind take about as long; undefined if readers run all of them. */
  kindOf(args: readonly unknown[]): string | undefined
  /** Milliseconds after which a reader that runs the call is ended; undefined for the usual time. */
  runTimeOf?(args: readonly unknown[]): number | undefined
  /** Runs a call; `ports` has all that the method needs. */
  run(
    ports: RpcPorts,
    args: readonly unknown[],
    budget: RequestBudget,
    requester?: Requester,
  ): JsonText | Promise<JsonText>
}

/** Declares a method; the types of its arguments and of its context follow from `params` and `needs`. */
export function method<const N extends keyof RpcContext, const P extends readonly Param<unknown>[], R>(
  definition: Definition<N, P, R>,
): Method {
  const { name, doc, needs, params, result, errors = [], example = [] } = definition
  const { fixedCount = false, always = false, alsoIn, together = false, alike, runTime } = definition
  const makeContext = contextMaker(needs)
  const readAll = (args: readonly unknown[]): Values<P> => {
    const values: unknown[] = []
    for (let i = 0; i < params.length; i++) values.push(params[i]!.read(args[i]))
    return values as Values<P>
  }
  const encode = (value: R): JsonText => result.stream?.(value) ?? result.encode(value)
  return {
    name,
    doc,
    needs,
    params,
    fixedCount,
    result: result.schema,
    errors,
    example,
    always,
    alsoIn,
    together,
    ...(runTime && { runTimeOf: runTime }),
    kindOf: (args) => alike && `${name} ${alike(args)}`,
    run(ports, args, budget) {
      if (fixedCount && args.length !== params.length) throw invalidParams()
      return andThen(definition.handler(makeContext(ports, budget), readAll(args)), encode)
    },
  }
}

/** Makes the context of each call: the ports that the method needs, the chain as it is now, the budget of the request. */
function contextMaker<N extends keyof RpcContext>(
  needs: readonly N[],
): (ports: RpcPorts, budget: RequestBudget) => Pick<RpcContext, N> {
  type Context = Pick<RpcContext, N>
  const names: readonly (keyof RpcContext)[] = needs
  const fixed = names.filter((name) => name !== 'chain' && name !== 'budget')
  const readsChain = names.includes('chain')
  // A loop over names shows in the times of short methods: most of them need the chain only, or nothing that changes.
  if (fixed.length === names.length) return (ports) => ports as unknown as Context
  return (ports, budget) => {
    const context: Partial<Record<keyof RpcContext, unknown>> = {
      budget,
      chain: readsChain ? ports.chain!() : undefined,
    }
    for (const name of fixed) context[name] = ports[name as keyof RpcPorts]
    return context as Context
  }
}

/** The same method under a second name. */
export function alias(of: Method, name: string): Method {
  return { ...of, name }
}

/** The upper-case name by which a method's namespace is enabled: PRIV has `privx_` too, and OTS `erigon_` and `quoin_`. */
export function namespaceOf(name: string): string {
  const space = name.slice(0, name.indexOf('_')).toUpperCase()
  if (space === 'ERIGON' || space === 'QUOIN') return 'OTS'
  return space === 'PRIVX' ? 'PRIV' : space
}
