/** Names of the log levels in Besu's options. */
export const logLevelNames = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL'] as const
export type LogLevelName = (typeof logLevelNames)[number]
