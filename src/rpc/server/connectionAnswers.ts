import { patience } from '../../http/httpServer.ts'
import type { Answer, Reply } from '../protocol/dispatcher.ts'
import type { Outbox } from './outbox.ts'

/** Unfinished calls of one connection above which its requests are paused. */
const maxUnderWay = 256
/** Bytes waiting for a client above which its requests are paused. */
const maxWaiting = 4 << 20

/** A connection whose requests can be paused. */
export interface Pausable {
  isPaused(): boolean
  pause(): void
  resume(): void
}

/** Sends what the requests of one connection are answered with. */
export interface ConnectionAnswers {
  send(answer: Answer): void
  /** Called when the client has taken something. */
  onDrained(): void
  /** Whether calls are unfinished. */
  isBusy(): boolean
}

export interface AnswerTerms {
  /** Milliseconds that a call may take. */
  readonly timeout: number
  /** The reply to a call that takes too long. */
  readonly timeoutReply: string
}

/** Pauses the requests of a connection while too many are unfinished, or while too much waits for the client. */
export function createConnectionAnswers(
  client: Pausable,
  outbox: Pick<Outbox, 'send' | 'waiting'>,
  { timeout, timeoutReply }: AnswerTerms,
): ConnectionAnswers {
  let underWay = 0

  function resume(): void {
    if (client.isPaused() && underWay < maxUnderWay && outbox.waiting() < maxWaiting) client.resume()
  }

  function reply({ body }: Reply): void {
    if (body === '') return
    outbox.send(body)
    if (outbox.waiting() > maxWaiting) client.pause()
  }

  function wait(answer: Promise<Reply>): void {
    if (++underWay >= maxUnderWay) client.pause()
    let late = false
    const timer = setTimeout(() => {
      late = true
      reply({ status: 200, body: timeoutReply })
    }, timeout + patience.ending)
    answer.then((value) => {
      clearTimeout(timer)
      underWay--
      if (!late) reply(value)
      resume()
    })
  }

  return {
    send: (answer) => (answer instanceof Promise ? wait(answer) : reply(answer)),
    onDrained: resume,
    isBusy: () => underWay > 0,
  }
}
