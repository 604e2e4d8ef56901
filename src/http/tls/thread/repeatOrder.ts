import type { Validity } from './repeats.ts'

/** Says that the request which came last, and whose reply was sent last, has the same reply again. */
export interface RepeatOrder extends Validity {
  /** Bytes that were received by then: if more have come, the client waits for the reply to another request. */
  readonly received: number
  /** Bytes of the request. */
  readonly size: number
}

/** The order as text: events carry no objects. */
export function repeatText({ received, size, version, until, echo }: RepeatOrder): string {
  return [received, size, version, until, echo.at, echo.length, echo.replyAt].join(' ')
}

/** Reads the text of an order. */
export function readRepeat(text: string): RepeatOrder {
  const [received, size, version, until, at, length, replyAt] = text.split(' ').map(Number) as Numbers
  return { received, size, version, until, echo: { at, length, replyAt } }
}

type Numbers = [number, number, number, number, number, number, number]
