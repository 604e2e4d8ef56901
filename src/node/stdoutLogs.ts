import type { Config } from '../config/options.ts'
import { logForms } from '../system/logForms.ts'
import { createLoggers, type Loggers } from '../system/logger.ts'
import { createLossyOutput } from './lossyOutput.ts'
import { logLevels } from './ports/loggingPort.ts'

/** Loggers that write to standard output as the options say: text on a terminal, JSON otherwise. */
export function createStdoutLogs(config: Config): { readonly loggers: Loggers; readonly isText: boolean } {
  const terminal = process.stdout.isTTY === true
  const format = config['log-format'] ?? (terminal ? 'text' : 'json')
  const isText = format === 'text'
  const output = createLossyOutput(process.stdout, (lines) =>
    loggers.child('node').warn({ lines }, '{lines} log lines were lost: standard output took none'),
  )
  const loggers = createLoggers({
    level: logLevels[config.logging],
    pretty: isText,
    color: config['color-enabled'] ?? terminal,
    form: logForms.find((form) => form === format),
    write: output.write,
  })
  return { loggers, isText }
}
