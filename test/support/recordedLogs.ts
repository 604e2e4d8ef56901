import { createLoggers, type Loggers } from '../../src/system/logger.ts'

/** Logs that keep what was written at INFO and above. */
export interface RecordedLogs extends Loggers {
  /** `level message` of each line, as people read it. */
  lines(): string[]
  /** The fields of the line that begins with this message. */
  fields(start: string): Readonly<Record<string, unknown>> | undefined
}

export function createRecordedLogs(): RecordedLogs {
  const seen: Record<string, unknown>[] = []
  const write = (line: string) => void seen.push(JSON.parse(line) as Record<string, unknown>)
  return {
    ...createLoggers({ level: 'info', pretty: false, color: false, write }),
    lines: () => seen.map(({ level, msg }) => `${String(level)} ${String(msg)}`),
    fields: (start) => seen.find(({ msg }) => String(msg).startsWith(start)),
  }
}
