import type { Logger } from '../../system/logger.ts'
import type { FromServers, LineLevel } from './messages.ts'

/** A logger whose lines the thread of the chain writes. */
export function createRemoteLog(put: (message: FromServers) => void, part: string): Logger {
  const at = (level: LineLevel) => (fields: object, text: string) =>
    put({ kind: 'log', part, level, fields: sendable(fields), text })
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (name) => createRemoteLog(put, part === '' ? name : `${part}.${name}`),
  }
}

/** An error would lose its members on the way. */
function sendable(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? (value.stack ?? value.message) : value,
    ]),
  )
}
