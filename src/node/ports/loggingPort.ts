import type { Loggers, LogLevel } from '../../primitives/logger.ts'
import type { LogLevelName } from '../../primitives/logLevel.ts'
import type { LoggingPort } from '../../rpc/protocol/context.ts'

/** Besu's names of levels, as the log has them. */
export const logLevels: Readonly<Record<LogLevelName, LogLevel>> = {
  OFF: 'silent',
  ERROR: 'error',
  WARN: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'trace',
  ALL: 'trace',
}

/** The log, for those who may change its levels. */
export function createLogsPort(logs: Pick<Loggers, 'setLevel'>): LoggingPort {
  return { setLevel: (level, parts) => logs.setLevel(logLevels[level], parts) }
}
