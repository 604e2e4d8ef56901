import { hasFragileId, type IdText, numberIds } from '../../jsonrpc/idText.ts'
import { parseJson } from '../../jsonrpc/parseJson.ts'
import { type Call, idOfInvalid, type Params, readCall } from '../../jsonrpc/readCall.ts'
import { batchText, failureText, type JsonText, successText } from '../../jsonrpc/replyText.ts'
import { isJsonObject } from '../../primitives/json.ts'
import { createRequestBudget, defaultLimits, type RequestBudget, type TrialLimits } from '../../query/requestBudget.ts'
import { createTurns, type Turns } from '../../system/turns.ts'
import { batchRunTime, callsForReader } from './batchForReader.ts'
import type { ChainCalls } from './chainCalls.ts'
import { statusOf } from './codes.ts'
import type { RpcPorts } from './context.ts'
import type {
  Answer,
  CallMeter,
  Connection,
  Dispatcher,
  DispatchOptions,
  Hold,
  Reply,
  Transport,
} from './dispatcher.ts'
import { errorObjectOf } from './errorObject.ts'
import { holding } from './holding.ts'
import type { Method } from './method.ts'
import { createPlacement } from './placement.ts'
import { hasPorts, pinned } from './portChecks.ts'
import { clientOf, createReaderCalls, type ReaderCalls } from './readerCalls.ts'
import { faultReply, reply, tooMany } from './reply.ts'
import type { Requester } from './requester.ts'
import { type Served, servedMethods } from './servedMethods.ts'

/** Gas of code that does not take milliseconds. */
const lightGas = 250_000
/** Gas cap above which readers run all code. */
const maxGasHere = 100_000_000n

const anybody: Requester = {}

/** What the calls of one request share. */
interface Request {
  readonly ports: RpcPorts
  readonly budget: RequestBudget
  readonly requester: Requester
  readonly connection: Connection | undefined
  /** The text of the request; undefined for a call of a batch. */
  readonly text: string | undefined
}

/** From the text of a request to the text of its reply. */
class RequestDispatcher implements Dispatcher {
  private readonly options: DispatchOptions
  private readonly knownNames: ReadonlySet<string>
  private readonly transport: Transport
  private readonly onCall: CallMeter | undefined
  private readonly hold: Hold | undefined
  private readonly limits: TrialLimits
  /** Undefined if all calls run here. */
  private readonly readerCalls: ReaderCalls | undefined
  private readonly chainCalls: ChainCalls | undefined
  private readonly now: NonNullable<DispatchOptions['now']>
  private readonly turns: Turns
  private readonly known: Map<string, Method>
  private readonly placement: ReturnType<typeof createPlacement>
  /** Code that may run for ever does not run where others wait. */
  private readonly runsCodeHere: boolean
  private readonly served: ReadonlyMap<string, Served>

  constructor(options: DispatchOptions) {
    this.options = options
    const { knownNames, transport, onCall, hold, limits = defaultLimits } = options
    this.knownNames = knownNames
    this.transport = transport
    this.onCall = onCall
    this.hold = hold
    this.limits = limits
    const { readers, chainCalls, now = () => performance.now() } = options
    this.chainCalls = chainCalls
    this.now = now
    const { turns = createTurns(now) } = options
    this.turns = turns
    this.known = new Map(options.methods.map((method) => [method.name, method]))
    this.placement = createPlacement(readers?.minTime ?? 0, now)
    this.runsCodeHere = limits.gasCap > 0n && limits.gasCap <= maxGasHere
    const { placement } = this
    this.readerCalls =
      readers &&
      createReaderCalls({
        readers,
        placement,
        onCall,
        time: limits.time,
        now,
        readerContext: options.readerContext,
        failed: (...args) => this.failed(...args),
      })
    this.served = servedMethods(options)
  }

  private isKnown(name: string) {
    return this.knownNames.has(name) || (this.known.has(name) && !this.options.unlistedNames?.has(name))
  }

  private failed(id: string, error: unknown, name: string): Reply {
    const object = errorObjectOf(error, name, this.options)
    return reply(failureText(id, object), statusOf(object))
  }

  private run(id: string, call: Call, request: Request): Answer {
    const { name, params } = call
    const one = this.served.get(name)
    const isHere = one !== undefined && hasPorts(one.method, request.ports)
    if (!one || !(isHere || this.chainCalls?.serves(name)))
      return faultReply(this.isKnown(name) ? 'METHOD_NOT_ENABLED' : 'METHOD_NOT_FOUND', id)
    // After the look-up, as in Besu: which methods a server has is no secret.
    if (request.requester.may?.(name) === false) return faultReply('UNAUTHORIZED', id)
    if (!isHere) return this.askChain(name, id, params, request)
    if (one.mayTakeLong && !this.runsHere(one, params, request))
      return this.readerCalls!.passOn(one.method, id, params, request)
    return this.turns.isOver()
      ? this.turns.later(() => this.start(one, id, params, request))
      : this.start(one, id, params, request)
  }

  /** Whether there is all that a method needs, here or in the thread of the chain. */
  private isServed({ method }: Served, ports: RpcPorts): boolean {
    return hasPorts(method, ports) || this.chainCalls?.serves(method.name) === true
  }

  private runsHere({ method }: Served, params: Params, { connection }: Request): boolean {
    if (!this.runsCodeHere && method.needs.includes('evms')) return false
    const kind = method.kindOf(params)
    return kind !== undefined && this.placement.runsHere(clientOf(connection), kind)
  }

  /** `gas` is what the call has spent: code that spent little did not take long by itself. */
  private noteLength({ method }: Served, params: Params, request: Request, milliseconds: number, gas: number): void {
    const kind = method.kindOf(params)
    if (kind === undefined) return
    const runsCode = method.needs.includes('evms')
    const own = runsCode && gas < lightGas ? 0 : milliseconds
    this.placement.ranHere(clientOf(request.connection), kind, own, runsCode)
  }

  /** Has a call run in the thread of the chain. */
  private async askChain(name: string, id: string, params: Params, request: Request): Promise<Reply> {
    const began = this.now()
    if (request.budget.isUsedUp(began)) return faultReply('TIMEOUT', id)
    const outcome = await this.chainCalls!.call(name, params, request.requester)
    this.onCall?.(name, (this.now() - began) / 1000)
    return 'result' in outcome
      ? reply(successText(id, outcome.result))
      : reply(failureText(id, outcome.error), statusOf(outcome.error))
  }

  private start(one: Served, id: string, params: Params, request: Request): Answer {
    const began = this.now()
    if (request.budget.isUsedUp(began)) return faultReply('TIMEOUT', id)
    const gasBefore = request.budget.gasSpent()
    const answer = this.answerOf(one, id, params, request)
    const milliseconds = this.now() - began
    this.turns.spend(milliseconds)
    if (one.mayTakeLong) this.noteLength(one, params, request, milliseconds, request.budget.gasSpent() - gasBefore)
    if (this.onCall) {
      const { name } = one.method
      if (answer instanceof Promise) void answer.then(() => this.onCall?.(name, (this.now() - began) / 1000))
      else this.onCall(name, milliseconds / 1000)
    }
    return one.isHeld ? holding(this.hold!, answer) : answer
  }

  private answerOf(one: Served, id: string, params: Params, request: Request): Answer {
    const { name } = one.method
    const { ports, budget, requester } = request
    try {
      const result = one.method.run(ports, params, budget, requester)
      if (!(result instanceof Promise)) return reply(successText(id, result))
      return result.then(
        (value) => reply(successText(id, value)),
        (error: unknown) => this.failed(id, error, name),
      )
    } catch (error) {
      return this.failed(id, error, name)
    }
  }

  private single(json: unknown, numberText: IdText, request: Request): Answer {
    if (!isJsonObject(json)) return faultReply('INVALID_REQUEST')
    const call = readCall(json, numberText)
    if (!call) return faultReply('INVALID_REQUEST', idOfInvalid(json, numberText))
    // As in Besu, notifications are not run.
    return call.id === undefined ? reply('') : this.run(call.id, call, request)
  }

  /** Whether two successive calls of a batch may run concurrently; otherwise a call sees the effects of those before it. */
  private goTogether(call: unknown, next: unknown): boolean {
    if (!isJsonObject(call) || !isJsonObject(next) || call['method'] !== next['method']) return false
    return this.served.get(String(call['method']))?.method.together ?? false
  }

  /** The method of a call that will run, if the caller may call it. */
  private methodOf(json: unknown, { ports, requester }: Request): Served | undefined {
    const one = isJsonObject(json) ? this.served.get(String(json['method'])) : undefined
    return one && this.isServed(one, ports) && requester.may?.(one.method.name) !== false ? one : undefined
  }

  private batch(calls: readonly unknown[], ids: readonly IdText[], text: string, given: Request): Answer {
    if (calls.length === 0)
      return this.transport.emptyBatch === 'EMPTY_LIST' ? reply('[]') : faultReply('INVALID_REQUEST')
    if (this.transport.maxBatch > 0 && calls.length > this.transport.maxBatch) return faultReply('BATCH_TOO_LARGE')
    const methods = calls.map((call) => this.methodOf(call, given))
    const forReader = callsForReader(
      calls,
      ids,
      methods,
      (one, params) => one.mayTakeLong && !this.runsHere(one, params, given),
    )
    return forReader
      ? this.readerCalls!.passBatchOn(forReader, text, given.connection, batchRunTime(forReader, methods))
      : this.runBatch(calls, ids, methods, given)
  }

  private runBatch(
    calls: readonly unknown[],
    ids: readonly IdText[],
    methods: readonly (Served | undefined)[],
    given: Request,
  ): Answer {
    const isPinned = given.ports.chain !== undefined && methods.every((one) => !one || one.leavesChain)
    const request = isPinned ? { ...given, ports: pinned(given.ports) } : given
    const parts: JsonText[] = []
    const keep = ({ body }: Reply) => void (body === '' || parts.push(body))
    const nth = (i: number) => this.single(calls[i], ids[i], request)
    const from = (start: number): Answer => {
      for (let i = start; i < calls.length; i++) {
        const answer = nth(i)
        if (answer instanceof Promise) {
          const answers: Answer[] = [answer]
          while (this.goTogether(calls[i], calls[i + answers.length])) answers.push(nth(i + answers.length))
          return Promise.all(answers).then((replies) => {
            replies.forEach(keep)
            return from(i + replies.length)
          })
        }
        keep(answer)
      }
      return reply(batchText(parts))
    }
    const answer = from(0)
    return isPinned && this.hold ? holding(this.hold, answer) : answer
  }

  readonly serves: Dispatcher['serves'] = ({ name }, ports) => {
    const one = this.served.get(name)
    return one !== undefined && this.isServed(one, ports)
  }

  readonly dispatch: Dispatcher['dispatch'] = (text, ports, requester = anybody, connection = undefined) => {
    const isWithinLimit = requester.spend?.(1) ?? true
    if (text === '') return faultReply(this.transport.emptyText)
    const json = parseJson(text)
    if (typeof json !== 'object' || json === null) return faultReply('PARSE_ERROR')
    const ids = hasFragileId(text) ? numberIds(text) : []
    if (!isWithinLimit) return tooMany(json, ids[0])
    const isBatch = Array.isArray(json)
    const budget = createRequestBudget(this.limits, this.now)
    const own = isBatch ? undefined : text
    const request: Request = { ports, budget, requester, connection, text: own }
    if (isBatch) requester.spend?.(json.length - 1)
    return isBatch ? this.batch(json, ids, text, request) : this.single(json, ids[0], request)
  }
}

/**
 * From the text of a request to the text of its reply, the same for all transports. A single call, the usual case, takes the shortest way;
 * a batch runs its calls in order, and moves as a whole where one of them takes long. Where a call runs is decided by `placement.ts`; here is
 * only what all of them have in common: limits, who may call, the turn of the event loop that they use up, and one view per reply, so that
 * an answer never mixes two heads.
 */
export function createDispatcher(options: DispatchOptions): Dispatcher {
  return new RequestDispatcher(options)
}
