import type { Call, Params } from '../../jsonrpc/readCall.ts'
import { callText } from '../../jsonrpc/remoteCall.ts'
import { batchText } from '../../jsonrpc/replyText.ts'
import type { Readers } from '../../readers/readers.ts'
import { batchMethod } from './batchForReader.ts'
import type { CallMeter, Connection, DispatchOptions, Reply } from './dispatcher.ts'
import type { Method } from './method.ts'
import type { Placement } from './placement.ts'
import { reply } from './reply.ts'

export interface ReaderCallsParts extends Pick<DispatchOptions, 'readerContext'> {
  readonly readers: Readers
  readonly placement: Placement
  readonly onCall: CallMeter | undefined
  /** Milliseconds that a request has. */
  readonly time: number
  readonly now: () => number
  /** The reply to a call that failed. */
  readonly failed: (id: string, error: unknown, name: string) => Reply
}

/** The request of a call that is passed on. */
interface PassedRequest {
  /** The text of the request; undefined for a call of a batch. */
  readonly text: string | undefined
  readonly connection: Connection | undefined
}

/** Calls that readers answer, as the thread that serves passes them on. */
export interface ReaderCalls {
  /** Lets a reader answer a call. */
  passOn(method: Method, id: string, params: Params, request: PassedRequest): Promise<Reply>
  /** Lets a reader answer all calls of a batch, from one snapshot. */
  passBatchOn(
    calls: readonly Call[],
    text: string,
    connection: Connection | undefined,
    runTime?: number,
  ): Promise<Reply>
}

/** What the address of a client is for placement and for readers. */
export const clientOf = (connection: Connection | undefined): string => connection?.address ?? ''

/** Passes texts on, and notes how long the answers took. */
class PassedCalls implements ReaderCalls {
  private readonly parts: ReaderCallsParts

  constructor(parts: ReaderCallsParts) {
    this.parts = parts
  }

  readonly passOn: ReaderCalls['passOn'] = (method, id, params, { text, connection }) => {
    const { name } = method
    const own = text ?? callText(name, params, id)
    const kind = method.kindOf(params)
    const onBusy = kind === undefined ? undefined : (busy: number) => this.parts.placement.ranInReader(kind, busy)
    const answer = this.ask(own, name, connection, method.runTimeOf?.(params as readonly unknown[]), onBusy)
    return answer.catch((error: unknown) => this.parts.failed(id, error, name))
  }

  readonly passBatchOn: ReaderCalls['passBatchOn'] = (calls, text, connection, runTime) => {
    const { name } = calls[0]!
    return this.ask(text, batchMethod(calls), connection, runTime).catch((error: unknown) => {
      const asked = calls.filter(({ id }) => id !== undefined)
      return reply(batchText(asked.map(({ id }) => this.parts.failed(id!, error, name).body)))
    })
  }

  private async ask(
    text: string,
    method: string,
    connection: Connection | undefined,
    runTime: number | undefined,
    onBusy?: (milliseconds: number) => void,
  ): Promise<Reply> {
    const { readers, onCall, readerContext, time, now } = this.parts
    const began = now()
    const answer = await readers.ask({
      kind: 'rpc',
      text,
      method,
      client: clientOf(connection),
      isGone: connection?.isGone,
      context: readerContext?.(),
      time,
      runTime,
    })
    onCall?.(method, (now() - began) / 1000)
    onBusy?.(answer.busy)
    return answer as Reply
  }
}

export function createReaderCalls(parts: ReaderCallsParts): ReaderCalls {
  return new PassedCalls(parts)
}
