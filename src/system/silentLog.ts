import { createLoggers, type Loggers } from './logger.ts'

/** For commands that say what they have to say themselves. */
export function createSilentLog(): Loggers {
  return createLoggers({ level: 'silent', pretty: false, color: false, write: () => {} })
}
