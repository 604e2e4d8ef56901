import type { Echo, Validity } from './repeats.ts'

/** Says that the request which came last, and whose reply was sent last, has the same reply again. */
export interface RepeatOrder extends Validity {
  /** By which the thread tells how often it has repeated the reply. */
  readonly number: number
  /** Bytes that were received by then: if more have come, the client waits for the reply to another request. */
  readonly received: number
  /** Bytes of the request. */
  readonly size: number
  readonly echo: Echo
}

/** The order as text: events carry no objects. */
export function repeatText({ number, received, size, version, until, echo }: RepeatOrder): string {
  return [number, received, size, version, until, echo.at, echo.length, echo.replyAt].join(' ')
}

/** Reads the text of an order. */
export function readRepeat(text: string): RepeatOrder {
  const numbers = text.split(' ').map(Number) as [number, number, number, number, number, number, number, number]
  const [number, received, size, version, until, at, length, replyAt] = numbers
  return { number, received, size, version, until, echo: { at, length, replyAt } }
}

/** Says what the reply of a number is now. */
export interface RenewOrder extends Validity {
  readonly number: number
  /** One byte per character. */
  readonly reply: string
}

/** The order as text. */
export function renewText({ number, version, until, reply }: RenewOrder): string {
  return `${number} ${version} ${until}\n${reply}`
}

/** Reads the text of an order. */
export function readRenew(text: string): RenewOrder {
  const end = text.indexOf('\n')
  const [number, version, until] = text.slice(0, end).split(' ').map(Number) as [number, number, number]
  return { number, version, until, reply: text.slice(end + 1) }
}
