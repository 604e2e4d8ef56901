import { describe, expect, test } from 'vitest'
import { createLoggers } from './logger.ts'

function capture(pretty: boolean, color = false) {
  const lines: string[] = []
  return { lines, loggers: createLoggers({ level: 'info', pretty, color, write: (line) => lines.push(line) }) }
}

describe('logs', () => {
  test('JSON lines carry level, part, message and fields', () => {
    const { lines, loggers } = capture(false)
    loggers.child('rpc').child('http').info({ port: 8545 }, 'listening')
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', part: 'rpc.http', msg: 'listening', port: 8545 })
  })

  test('people get one readable line, in color where wanted', () => {
    const { lines, loggers } = capture(true)
    loggers.child('chain').warn({ number: 5, at: { a: 1 } }, 'late')
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} WARN {2}chain: late number=5 at=\{"a":1\}\n$/)
    const colored = capture(true, true)
    colored.loggers.info({}, 'x')
    expect(colored.lines[0]).toContain('\x1b[32m')
  })

  test('a message may name fields: text does not repeat them, JSON has both', () => {
    const fields = { number: 5, missing: ['0x1', '0x2'], peers: 3 }
    const message = 'block #{number} waits for {missing}, {unknown}'
    const text = capture(true)
    text.loggers.info(fields, message)
    expect(text.lines[0]).toMatch(/INFO {2}block #5 waits for 0x1, 0x2, \{unknown\} peers=3\n$/)
    const json = capture(false)
    json.loggers.info(fields, message)
    const msg = 'block #5 waits for 0x1, 0x2, {unknown}'
    expect(JSON.parse(json.lines[0]!)).toMatchObject({ ...fields, msg })
  })

  test('what a peer sent cannot make lines of its own, nor name fields', () => {
    const { lines, loggers } = capture(true)
    loggers.info({ client: 'x\n2026-01-01 ERROR {number}\x1b[31m', number: 1, error: 'a\n  at b' }, 'peer {client}')
    expect(lines[0]).toContain('INFO  peer "x\\n2026-01-01 ERROR {number}\\u001b[31m" number=1 error=a\n  at b\n')
  })

  test('levels change while running, for all or for some parts', () => {
    const { lines, loggers } = capture(false)
    const rpc = loggers.child('rpc')
    const http = rpc.child('http')
    const pool = loggers.child('pool')
    http.debug({}, 'hidden')
    loggers.setLevel('debug', ['rpc'])
    http.debug({}, 'shown')
    pool.debug({}, 'hidden')
    rpc.child('ws').debug({}, 'later')
    loggers.setLevel('error')
    rpc.warn({}, 'hidden')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['shown', 'later'])
  })
})
