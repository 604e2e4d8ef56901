/** Levels of the log, by Besu's names. */
export const logLevelNames = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL'] as const
export type LogLevelName = (typeof logLevelNames)[number]
