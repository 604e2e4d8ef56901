import { parseJson } from '../../http/parseJson.ts'
import { Fault } from '../../primitives/fault.ts'
import { createTurns, type Turns } from '../../primitives/turns.ts'
import { createRequestBudget, defaultGasCap, type RequestBudget, type TrialLimits } from '../../query/requestBudget.ts'
import { type ErrorObject, type FaultTable, rpcErrorObject, statusOf } from './codes.ts'
import type { RpcPorts } from './context.ts'
import { RpcError, type RpcFault } from './fault.ts'
import { holding } from './holding.ts'
import { echoNumber, hasFragileId, numberIds } from './idText.ts'
import { keepAnswers } from './keptAnswers.ts'
import { type JsonText, type Method, namespaceOf } from './method.ts'
import type { Requester } from './requester.ts'

/** The reply to a request. */
export interface Reply {
  readonly status: 200 | 400 | 401 | 429
  /** Empty for notifications. */
  readonly body: JsonText
}
export type Answer = Reply | Promise<Reply>

/** The differences between HTTP and WebSocket. */
export interface Transport {
  /** Maximum number of calls in a batch; 0 or less means no limit. */
  readonly maxBatch: number
  /** The reply to an empty batch. */
  readonly emptyBatch: 'INVALID_REQUEST' | 'EMPTY_LIST'
  /** The error of an empty request. */
  readonly emptyText: 'INVALID_REQUEST' | 'PARSE_ERROR'
}

/** JSON-RPC over HTTP. */
export function httpTransport(maxBatch: number): Transport {
  return { maxBatch, emptyBatch: 'INVALID_REQUEST', emptyText: 'PARSE_ERROR' }
}

/** JSON-RPC over WebSocket; unlike Besu, it limits batches too. */
export function wsTransport(maxBatch: number): Transport {
  return { maxBatch, emptyBatch: 'EMPTY_LIST', emptyText: 'INVALID_REQUEST' }
}

export interface DispatchOptions {
  readonly methods: readonly Method[]
  /** Methods of Besu: those that are not served here are "not enabled", all other names are "not found". */
  readonly knownNames: ReadonlySet<string>
  /** Methods that are "not found" unless they are served, though they are among `methods`. */
  readonly unlistedNames?: ReadonlySet<string> | undefined
  readonly namespaces: readonly string[]
  readonly transport: Transport
  readonly faults: FaultTable
  /** Called with errors that no client caused. */
  readonly onInternalError: (error: unknown, method: string) => void
  /** Called after each call of a served method. */
  readonly onCall?: CallMeter | undefined
  /** Called before each call that reads the chain. */
  readonly hold?: Hold | undefined
  /** Gas and time that each request has. */
  readonly limits?: TrialLimits | undefined
  /** Shared with everything else that keeps the thread busy for long. */
  readonly turns?: Turns | undefined
  /** Milliseconds since an arbitrary moment. */
  readonly now?: (() => number) | undefined
}

const defaultLimits: TrialLimits = { gasCap: defaultGasCap, time: 300_000 }

/** Keeps the view of the chain open until the returned function is called, when the reply is sent. */
export type Hold = () => () => void

/** Records how long a call took. */
export type CallMeter = (method: string, seconds: number) => void

/** Answers requests: single calls and batches. */
export interface Dispatcher {
  /** Whether the method is enabled and these ports include all that it needs. */
  serves(method: Method, ports: RpcPorts): boolean
  dispatch(text: string, ports: RpcPorts, requester?: Requester): Answer
}

type Json = Readonly<Record<string, unknown>>
type IdText = string | undefined

const ok = 200 as const
const reply = (body: JsonText, status: Reply['status'] = ok): Reply => ({ status, body })

/** A reply with an error. */
function failure(id: string, { code, message, data }: ErrorObject): string {
  const more = data === undefined ? '' : `,"data":${JSON.stringify(data)}`
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}${more}}}`
}

function success(id: string, result: JsonText): JsonText {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`
  return typeof result === 'string' ? `${head}${result}}` : wrap(head, result, '}')
}

function* wrap(head: string, body: Iterable<string>, tail: string): Generator<string> {
  yield head
  yield* body
  yield tail
}

/** The reply that consists of one error. */
export function faultReply(code: RpcFault['code'], id = 'null'): Reply {
  const object = rpcErrorObject(new RpcError({ code } as RpcFault))
  return reply(failure(id, object), statusOf(object))
}

/** The id of the reply as JSON text; undefined for a notification. */
function idTextOf(request: Json, numberText: IdText): IdText {
  const { id } = request
  if (typeof id === 'number') return numberText === undefined ? String(id) : echoNumber(numberText)
  if (typeof id === 'string') return JSON.stringify(id)
  return id === null ? 'null' : undefined
}

type Params = readonly unknown[]

interface Call {
  readonly id: IdText
  readonly name: string
  readonly params: Params
}

const noParams: Params = []
const anybody: Requester = {}

/** What the calls of one request share. */
interface Request {
  readonly ports: RpcPorts
  readonly budget: RequestBudget
  readonly requester: Requester
}

/** Reads a call; undefined if the object is not a valid one. */
function readCall(request: Json, numberText: IdText): Call | undefined {
  const { id, method, params, jsonrpc } = request
  if (id !== null && typeof id === 'object') return undefined
  if (typeof id === 'boolean' || method === undefined || method === null || typeof method === 'object') return undefined
  if (typeof jsonrpc === 'object' && jsonrpc !== null) return undefined
  if (params !== undefined && params !== null && !Array.isArray(params)) return undefined
  return { id: idTextOf(request, numberText), name: String(method), params: params ?? noParams }
}

/** The id of the reply to an invalid call: only integers are echoed. */
function idOfInvalid({ id }: Json, numberText: IdText): string {
  if (typeof id !== 'number' || !Number.isInteger(id)) return 'null'
  return numberText === undefined || /[.eE]/.test(numberText) ? String(id) : numberText
}

function hasPorts({ needs }: Method, ports: RpcPorts): boolean {
  for (const port of needs) if (port !== 'budget' && !(port in ports)) return false
  return true
}

const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)

export function createDispatcher(options: DispatchOptions): Dispatcher {
  const { knownNames, transport, faults, onInternalError, onCall, hold, limits = defaultLimits } = options
  const { now = () => performance.now() } = options
  const { turns = createTurns(now) } = options
  const enabled = new Set(options.namespaces)
  const known = new Map(options.methods.map((method) => [method.name, method]))
  const isEnabled = ({ always, name, alsoIn }: Method) =>
    always ? enabled.size > 0 : enabled.has(namespaceOf(name)) || (alsoIn !== undefined && enabled.has(alsoIn))
  const served = new Map([...known].filter(([, method]) => isEnabled(method)))

  const keptOf = keepAnswers(options.methods)

  const isKnown = (name: string) => knownNames.has(name) || (known.has(name) && !options.unlistedNames?.has(name))

  function errorOf(error: unknown, name: string): ErrorObject {
    if (error instanceof RpcError) return rpcErrorObject(error)
    const known = error instanceof Fault ? faults(error) : undefined
    if (known) return known
    onInternalError(error, name)
    return rpcErrorObject(new RpcError({ code: 'INTERNAL_ERROR' }))
  }

  function failed(id: string, error: unknown, name: string): Reply {
    const object = errorOf(error, name)
    return reply(failure(id, object), statusOf(object))
  }

  function run(id: string, call: Call, request: Request): Answer {
    const { name, params } = call
    const method = served.get(name)
    if (!method || !hasPorts(method, request.ports))
      return faultReply(isKnown(name) ? 'METHOD_NOT_ENABLED' : 'METHOD_NOT_FOUND', id)
    // After the look-up, as in Besu: which methods a server has is no secret.
    if (request.requester.may?.(name) === false) return faultReply('UNAUTHORIZED', id)
    if (turns.isOver()) return turns.later(() => start(method, id, params, request))
    return start(method, id, params, request)
  }

  function start(method: Method, id: string, params: Params, request: Request): Answer {
    const began = now()
    if (request.budget.isUsedUp(began)) return faultReply('TIMEOUT', id)
    const answer = answerOf(method, id, params, request)
    const milliseconds = now() - began
    turns.spend(milliseconds)
    if (onCall) {
      if (answer instanceof Promise) void answer.then(() => onCall(method.name, (now() - began) / 1000))
      else onCall(method.name, milliseconds / 1000)
    }
    return hold && method.needs.includes('chain') ? holding(hold, answer) : answer
  }

  function answerOf(method: Method, id: string, params: Params, request: Request): Answer {
    try {
      const result = resultOf(method, params, request)
      if (!(result instanceof Promise)) return reply(success(id, result))
      return result.then(
        (value) => reply(success(id, value)),
        (error: unknown) => failed(id, error, method.name),
      )
    } catch (error) {
      return failed(id, error, method.name)
    }
  }

  function resultOf(
    method: Method,
    params: Params,
    { ports, budget, requester }: Request,
  ): JsonText | Promise<JsonText> {
    const kept = keptOf(method, ports)
    if (!kept) return method.run(ports, params, budget, requester)
    const view = ports.chain!()
    const key = method.name + JSON.stringify(params)
    const known = kept.find(view, key)
    if (known !== undefined) return known
    const result = method.run(ports, params, budget)
    // What takes time may have seen a later view.
    if (!(result instanceof Promise)) kept.put(view, key, result)
    return result
  }

  function single(json: unknown, numberText: IdText, request: Request): Answer {
    if (!isObject(json)) return faultReply('INVALID_REQUEST')
    const call = readCall(json, numberText)
    if (!call) return faultReply('INVALID_REQUEST', idOfInvalid(json, numberText))
    // As in Besu, notifications are not run.
    return call.id === undefined ? reply('') : run(call.id, call, request)
  }

  /** Whether two successive calls of a batch may run concurrently; otherwise a call sees the effects of those before it. */
  function goTogether(call: unknown, next: unknown): boolean {
    if (!isObject(call) || !isObject(next) || call['method'] !== next['method']) return false
    return served.get(String(call['method']))?.together ?? false
  }

  function batch(calls: readonly unknown[], ids: readonly IdText[], request: Request): Answer {
    if (calls.length === 0) return transport.emptyBatch === 'EMPTY_LIST' ? reply('[]') : faultReply('INVALID_REQUEST')
    if (transport.maxBatch > 0 && calls.length > transport.maxBatch) return faultReply('BATCH_TOO_LARGE')
    const parts: JsonText[] = []
    const keep = ({ body }: Reply) => void (body === '' || parts.push(body))
    const nth = (i: number) => single(calls[i], ids[i], request)
    const from = (start: number): Answer => {
      for (let i = start; i < calls.length; i++) {
        const answer = nth(i)
        if (answer instanceof Promise) {
          const answers: Answer[] = [answer]
          while (goTogether(calls[i], calls[i + answers.length])) answers.push(nth(i + answers.length))
          return Promise.all(answers).then((replies) => {
            replies.forEach(keep)
            return from(i + replies.length)
          })
        }
        keep(answer)
      }
      return reply(joinBatch(parts))
    }
    return from(0)
  }

  return {
    serves: (method, ports) => served.has(method.name) && hasPorts(method, ports),
    dispatch(text, ports, requester = anybody) {
      const isWithinLimit = requester.spend?.(1) ?? true
      if (text === '') return faultReply(transport.emptyText)
      const json = parseJson(text)
      if (typeof json !== 'object' || json === null) return faultReply('PARSE_ERROR')
      const ids = hasFragileId(text) ? numberIds(text) : []
      if (!isWithinLimit) return tooMany(json, ids[0])
      const request = { ports, budget: createRequestBudget(limits, now), requester }
      if (!Array.isArray(json)) return single(json, ids[0], request)
      requester.spend?.(json.length - 1)
      return batch(json, ids, request)
    },
  }
}

/** The reply to a client that asks too often, with the id of a single call. */
function tooMany(json: object, numberText: IdText): Reply {
  const call = isObject(json) ? readCall(json, numberText) : undefined
  return faultReply('TOO_MANY_REQUESTS', call?.id)
}

function joinBatch(parts: readonly JsonText[]): JsonText {
  if (parts.every((part) => typeof part === 'string')) return `[${parts.join(',')}]`
  return joinPieces(parts)
}

function* joinPieces(parts: readonly JsonText[]): Generator<string> {
  for (const [i, part] of parts.entries()) {
    yield i ? ',' : '['
    if (typeof part === 'string') yield part
    else yield* part
  }
  yield ']'
}
