import { createLogs, type Logs } from '../../src/primitives/logger.ts'

/** Logs of a program that says nothing. */
export function createSilentLogs(): Logs {
  return createLogs({ level: 'silent', pretty: false, color: false, write: () => {} })
}
