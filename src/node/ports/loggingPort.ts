import type { Loggers, LogLevel } from '../../primitives/logger.ts'
import type { LogLevelName } from '../../primitives/logLevel.ts'
import type { LoggingPort } from '../../rpc/protocol/context.ts'

/** Besu's names of log levels, and those of the logger. */
export const logLevels: Readonly<Record<LogLevelName, LogLevel>> = {
  OFF: 'silent',
  ERROR: 'error',
  WARN: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'trace',
  ALL: 'trace',
}

/** Lets an operator change log levels. */
export function createLoggingPort(logs: Pick<Loggers, 'setLevel'>): LoggingPort {
  return { setLevel: (level, parts) => logs.setLevel(logLevels[level], parts) }
}
