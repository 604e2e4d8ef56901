import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { inForm, logForms } from './logForms.ts'
import { createLoggers } from './logger.ts'

const line = `${JSON.stringify({
  level: 'warn',
  time: '2026-11-19T12:00:00.250Z',
  part: 'p2p.sync',
  number: 7,
  peers: ['a', 'b'],
  msg: 'disconnecting peer',
})}\n`

test('a line for each collector has its names of time, severity, part and message', () => {
  const made = Object.fromEntries(logForms.map((form) => [form, JSON.parse(inForm(line, form)) as object]))
  const fields = { number: 7, peers: ['a', 'b'] }
  const time = '2026-11-19T12:00:00.250Z'
  expect(made).toEqual({
    ecs: {
      '@timestamp': time,
      'ecs.version': '1.2.0',
      'log.level': 'WARN',
      'log.logger': 'p2p.sync',
      message: 'disconnecting peer',
      labels: fields,
    },
    gcp: { timestamp: time, severity: 'WARNING', message: 'disconnecting peer', _logger: 'p2p.sync', ...fields },
    logstash: {
      '@timestamp': time,
      '@version': 1,
      level: 'WARN',
      logger_name: 'p2p.sync',
      message: 'disconnecting peer',
      ...fields,
    },
    gelf: {
      version: '1.1',
      host: hostname(),
      short_message: 'disconnecting peer',
      timestamp: Date.parse(time) / 1000,
      level: 4,
      _logger: 'p2p.sync',
      _number: 7,
      _peers: '["a","b"]',
    },
  })
})

test('loggers write in the form that is asked for', () => {
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  const log = createLoggers({ level: 'info', pretty: false, color: false, form: 'gcp', write })
  log.child('node').info({ count: 3 }, '{count} blocks')
  expect(lines.map((text) => JSON.parse(text) as object)).toMatchObject([
    { severity: 'INFO', message: '3 blocks', count: 3, _logger: 'node' },
  ])
  expect(lines[0]!.endsWith('}\n')).toBe(true)
})
