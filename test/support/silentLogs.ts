import { createLoggers, type Loggers } from '../../src/system/logger.ts'

/** Logs of a program that says nothing. */
export function createSilentLogs(): Loggers {
  return createLoggers({ level: 'silent', pretty: false, color: false, write: () => {} })
}
