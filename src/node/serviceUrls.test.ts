import { expect, test } from 'vitest'
import { serviceUrls } from './serviceUrls.ts'

test('each URL can be used as it is', () => {
  const place = (port: number, host = '127.0.0.1') => ({ host, port })
  const places = new Map([
    ['jsonrpc', place(1, '::1')],
    ['ws', place(2)],
    ['graphql', place(3)],
    ['metrics', place(4)],
    ['p2p', place(5)],
  ])
  expect([...serviceUrls(places).values()]).toEqual([
    'http://[::1]:1',
    'ws://127.0.0.1:2',
    'http://127.0.0.1:3/graphql',
    'http://127.0.0.1:4/metrics',
    'tcp://127.0.0.1:5',
  ])
})

test('with TLS the schemes say so', () => {
  const place = { host: '127.0.0.1', port: 1, isSecure: true }
  const places = new Map(['jsonrpc', 'ws', 'graphql'].map((name) => [name, place]))
  expect([...serviceUrls(places).values()]).toEqual([
    'https://127.0.0.1:1',
    'wss://127.0.0.1:1',
    'https://127.0.0.1:1/graphql',
  ])
})
