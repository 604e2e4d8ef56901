import { type Logger as PinoLogger, pino } from 'pino'
import { fillIn, namedFields, showField } from './fillIn.ts'
import { inForm, type LogForm } from './logForms.ts'

/** Least severe first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Writes the log lines of one part of the program; fields are data: `log.info({ number, hash }, 'imported')`. A message may name
 * fields, as in `'imported #{number}'`: their values take the place of the names, and text does not show them twice.
 */
export interface Logger {
  trace(fields: object, message: string): void
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** Returns the logger of a sub-part: `rpc` → `rpc.http`. */
  child(part: string): Logger
}

/** The root logger, which can change levels at run time. */
export interface Loggers extends Logger {
  /** Sets the level of all parts, or of those whose name starts with one of `parts`. */
  setLevel(level: LogLevel, parts?: readonly string[]): void
}

export interface LoggerOptions {
  readonly level: LogLevel
  /** Writes aligned text instead of JSON. */
  readonly pretty: boolean
  readonly color: boolean
  /** Another form of JSON than the node's own. */
  readonly form?: LogForm | undefined
  readonly write: (line: string) => void
}

/** Level changes of single parts that are remembered, to be applied to loggers that are created later. */
const maxRules = 100

/** Creates the root logger, which writes one line per event: JSON or aligned text. */
export function createLoggers({ level, pretty, color, form, write }: LoggerOptions): Loggers {
  const plain = form ? { write: (line: string) => write(inForm(line, form)) } : { write }
  const stream = pretty ? { write: (line: string) => write(prettify(line, color)) } : plain
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: levelName } }
  const root = pino(base, stream)
  const parts = new Map<string, PinoLogger>([['', root]])
  /** Level changes of single parts since the last change of all, newest last. */
  let rules: { readonly names: readonly string[]; readonly level: LogLevel }[] = []

  function create(name: string): PinoLogger {
    const rule = rules.findLast(({ names }) => isPartOf(name, names))
    return root.child({ part: name }, rule ? { level: rule.level } : {})
  }

  function part(name: string): Logger {
    let logger = parts.get(name)
    if (!logger) parts.set(name, (logger = create(name)))
    const at = (severity: Exclude<LogLevel, 'silent'>) => (fields: object, message: string) => {
      // Text is filled in later, where it is known which fields the message names.
      if (logger.isLevelEnabled(severity)) logger[severity](fields, pretty ? message : fillIn(message, fields))
    }
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (name_) => part(name ? `${name}.${name_}` : name_),
    }
  }

  return {
    ...part(''),
    setLevel(next, names) {
      for (const [name, logger] of parts) if (!names || isPartOf(name, names)) logger.level = next
      // Loggers that are created later get these levels too.
      rules = names ? [...rules.slice(1 - maxRules), { names, level: next }] : []
    },
  }
}

function isPartOf(name: string, starts: readonly string[]): boolean {
  return starts.some((start) => name === start || name.startsWith(`${start}.`))
}

function levelName(label: string): object {
  return { level: label }
}

const colors: Record<string, string> = { trace: '90', debug: '36', info: '32', warn: '33', error: '31' }

function prettify(line: string, color: boolean): string {
  const { level, time, part, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const paint = (text: string, code: string) => (color ? `\x1b[${code}m${text}\x1b[0m` : text)
  const message = String(msg ?? '')
  const inMessage = new Set([...message.matchAll(namedFields)].map(([, key]) => key))
  const rest = Object.entries(fields).filter(([key]) => !inMessage.has(key))
  const shown = rest.map(([key, value]) => ` ${paint(`${key}=`, '90')}${showField(key, value)}`)
  const name = paint(String(level).toUpperCase().padEnd(5), colors[String(level)] ?? '0')
  const from = part ? paint(`${String(part)}: `, '90') : ''
  return `${String(time).slice(0, 23).replace('T', ' ')} ${name} ${from}${fillIn(message, fields)}${shown.join('')}\n`
}
