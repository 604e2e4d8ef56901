import { describe, expect, test } from 'vitest'
import { createLogs } from './logger.ts'

function capture(pretty: boolean, color = false) {
  const lines: string[] = []
  return { lines, logs: createLogs({ level: 'info', pretty, color, write: (line) => lines.push(line) }) }
}

describe('logs', () => {
  test('JSON lines carry level, part, message and fields', () => {
    const { lines, logs } = capture(false)
    logs.child('rpc').child('http').info({ port: 8545 }, 'listening')
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', part: 'rpc.http', msg: 'listening', port: 8545 })
  })

  test('people get one readable line, in color where wanted', () => {
    const { lines, logs } = capture(true)
    logs.child('chain').warn({ number: 5, at: { a: 1 } }, 'late')
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} WARN {2}chain: late number=5 at=\{"a":1\}\n$/)
    const colored = capture(true, true)
    colored.logs.info({}, 'x')
    expect(colored.lines[0]).toContain('\x1b[32m')
  })

  test('levels change while running, for all or for some parts', () => {
    const { lines, logs } = capture(false)
    const rpc = logs.child('rpc')
    const http = rpc.child('http')
    const pool = logs.child('pool')
    http.debug({}, 'hidden')
    logs.setLevel('debug', ['rpc'])
    http.debug({}, 'shown')
    pool.debug({}, 'hidden')
    rpc.child('ws').debug({}, 'later')
    logs.setLevel('error')
    rpc.warn({}, 'hidden')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['shown', 'later'])
  })
})
