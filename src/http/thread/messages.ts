import type { TlsOptions } from '../tls/createTls.ts'
import type { Events } from './events.ts'

/** What the thread is told first. */
export interface PortThreadData {
  /** Undefined where connections are not encrypted. */
  readonly tls: TlsOptions | undefined
  readonly host: string
  readonly port: number
}

/** What the thread posts. */
export type FromThread =
  | { readonly kind: 'listening'; readonly port: number }
  /** It cannot listen: an error of the system, which would lose its code on the way. */
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly fields: object; readonly message: string }
  | Events

/** What the node posts: events of connections, that no new ones are to be accepted, or that the thread ends when all are closed. */
export type ToThread = Events | 'stop' | 'leave'

/** The levels of the log lines of a thread. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'
