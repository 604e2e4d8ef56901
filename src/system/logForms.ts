import { hostname } from 'node:os'

/** Forms of log lines for collectors, beside the node's own JSON; the names are those of Besu's `--logging-format`. */
export const logForms = ['ecs', 'gcp', 'logstash', 'gelf'] as const
export type LogForm = (typeof logForms)[number]

/** A line of the log as data. */
interface Line {
  readonly time: string
  readonly level: string
  readonly part: string
  readonly msg: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Severities of syslog, which GELF takes. */
const syslog: Readonly<Record<string, number>> = { error: 3, warn: 4, info: 6, debug: 7, trace: 7 }
const cloud: Readonly<Record<string, string>> = { warn: 'WARNING', trace: 'DEBUG' }

const makers: Readonly<Record<LogForm, (line: Line) => object>> = {
  ecs: ({ time, level, part, msg, fields }) => ({
    '@timestamp': time,
    'ecs.version': '1.2.0',
    'log.level': level.toUpperCase(),
    message: msg,
    'log.logger': part,
    labels: fields,
  }),
  gcp: ({ time, level, part, msg, fields }) => ({
    ...fields,
    timestamp: time,
    severity: cloud[level] ?? level.toUpperCase(),
    message: msg,
    _logger: part,
  }),
  logstash: ({ time, level, part, msg, fields }) => ({
    ...fields,
    '@timestamp': time,
    '@version': 1,
    level: level.toUpperCase(),
    logger_name: part,
    message: msg,
  }),
  gelf: ({ time, level, part, msg, fields }) => ({
    version: '1.1',
    host: hostname(),
    short_message: msg,
    timestamp: Date.parse(time) / 1000,
    level: syslog[level] ?? 6,
    _logger: part,
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`_${name}`, gelfValue(value)])),
  }),
}

/** GELF has numbers and strings only. */
function gelfValue(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Writes a line of the node's own JSON in another form. */
export function inForm(line: string, form: LogForm): string {
  const { time, level, part, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const given = { time: String(time), level: String(level), part: String(part ?? ''), msg: String(msg ?? ''), fields }
  return `${JSON.stringify(makers[form](given))}\n`
}
