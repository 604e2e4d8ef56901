import type { LoggingPort } from '../../rpc/protocol/context.ts'
import type { Loggers, LogLevel } from '../../system/logger.ts'
import type { LogLevelName } from '../../system/logLevel.ts'

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
