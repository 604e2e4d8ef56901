import { expect, test } from 'vitest'
import { createMayCall, mayCallAll } from './permissions.ts'

test.each([
  ['*:*', 'eth_call', true],
  ['eth:*', 'eth_call', true],
  ['eth:call', 'eth_call', true],
  ['eth:call', 'eth_callMany', false],
  ['eth:*', 'net_version', false],
  ['ETH:*', 'eth_call', false],
  ['eth:CALL', 'eth_call', false],
  ['eth_call', 'eth_call', false],
  ['*', 'eth_call', false],
  ['eth', 'eth_call', false],
  [' eth:call', 'eth_call', false],
  ['eth:*:*', 'eth_call', false],
  ['eth:*', 'rpc_modules', false],
  ['rpc:modules', 'rpc_modules', true],
])('%j for %s: %j', (permission, method, expected) => {
  const may = createMayCall(['x:y', permission])
  expect([may(method), may(method)]).toEqual([expected, expected])
})

test.each([
  [['*:*'], true],
  [['eth:*'], true],
  [['eth:call', 'net:*'], false],
  [['ETH:*'], false],
])('all of eth with %j: %j', (permissions, expected) => expect(mayCallAll(permissions, 'eth')).toBe(expected))
