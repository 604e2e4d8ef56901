import { expect, test } from 'vitest'
import { createSubscriptions, maxSubscriptions } from './subscriptions.ts'

const kinds = { ticks: { start: () => () => {} } }

test('all connections together have as many subscriptions as the operator allows', () => {
  const openSession = createSubscriptions(kinds, 3)
  const [a, b] = [openSession(() => {}), openSession(() => {})]
  const first = a.subscribe('ticks', undefined)
  a.subscribe('ticks', undefined)
  b.subscribe('ticks', undefined)
  for (const session of [a, b]) expect(() => session.subscribe('ticks', undefined)).toThrow('SUBSCRIPTIONS_EXHAUSTED')
  a.unsubscribe(first)
  b.subscribe('ticks', undefined)
  expect(() => a.subscribe('ticks', undefined)).toThrow('SUBSCRIPTIONS_EXHAUSTED')
  b.close()
  a.subscribe('ticks', undefined)
  a.subscribe('ticks', undefined)
  expect(() => a.subscribe('ticks', undefined)).toThrow('SUBSCRIPTIONS_EXHAUSTED')
})

test('without such a limit each connection has its own', () => {
  const session = createSubscriptions(kinds)(() => {})
  for (let i = 0; i < maxSubscriptions; i++) session.subscribe('ticks', undefined)
  expect(() => session.subscribe('ticks', undefined)).toThrow('TOO_MANY_SUBSCRIPTIONS')
})

test('a subscription that does not start does not count', () => {
  const failing = { start: () => expect.fail('it does not start') }
  const session = createSubscriptions({ ...kinds, failing }, 1)(() => {})
  expect(() => session.subscribe('failing', undefined)).toThrow()
  session.subscribe('ticks', undefined)
})
