import { describe, expect, test } from 'vitest'
import { methods } from '../rpc/methods/all.ts'
import { namespaceOf } from '../rpc/protocol/method.ts'
import { checkConfig } from './checkConfig.ts'
import { resolveConfig } from './resolveConfig.ts'
import { apiGroups } from './rpcOptions.ts'

test('the API groups that can be chosen are those that have methods', () => {
  // What `rpc_` has is served whenever anything is.
  const served = new Set(methods.map(({ name }) => namespaceOf(name)).filter((name) => name !== 'RPC'))
  expect([...served].sort()).toEqual([...apiGroups])
})

test('a group of Besu that has no methods is accepted, and an unknown one is not', () => {
  const choose = (groups: string) => resolveConfig(new Map([['rpc-http-api', groups]]), {}).config['rpc-http-api']
  expect(choose('WEB3,ETH')).toEqual(['WEB3', 'ETH'])
  expect(choose('ETH,ENGINE,PLUGINS')).toEqual(['ETH'])
  expect(() => choose('ETH,OTHER')).toThrow('invalid entries found [OTHER]')
})

test('metrics are served or sent, not both', () => {
  const both = new Map(['metrics-enabled', 'metrics-push-enabled'].map((name) => [name, 'true']))
  expect(() => checkConfig(resolveConfig(both, {}))).toThrow("can't be used at the same time")
})

describe('tenants of private transactions', () => {
  const given = {
    'privacy-enabled': 'true',
    'privacy-multi-tenancy-enabled': 'true',
    'privacy-url': 'http://localhost:8888',
  }
  const check = (more: Readonly<Record<string, string>>) => () =>
    checkConfig(resolveConfig(new Map(Object.entries({ ...given, 'min-gas-price': '0', ...more })), {}))
  const http = { 'rpc-http-authentication-enabled': 'true', 'rpc-http-authentication-jwt-public-key-file': 'jwt.pub' }
  const ws = { 'rpc-ws-authentication-enabled': 'true', 'rpc-ws-authentication-credentials-file': 'users.toml' }

  test('need authentication, and bring their own keys', () => {
    expect(check({})).toThrow(
      'Privacy multi-tenancy requires either http authentication to be enabled or WebSocket authentication to be enabled',
    )
    expect(check({ ...http, 'privacy-public-key-file': 'key.pub' })).toThrow(
      'Privacy multi-tenancy and privacy public key cannot be used together',
    )
    expect(check(http)).not.toThrow()
    expect(check(ws)).not.toThrow()
  })

  test('cannot have flexible groups', () => {
    expect(check({ ...http, 'privacy-flexible-groups-enabled': 'true' })).toThrow(
      'Privacy multi-tenancy cannot be used with --privacy-flexible-groups-enabled in this version',
    )
  })
})

test('all values can be sent to another thread, on every version of Node', () => {
  const urls = {
    'privacy-url': 'http://localhost:9',
    'privacy-manager-peer-url': 'http://a',
    'privacy-manager-peers': 'http://b,http://c',
  }
  const { config } = resolveConfig(new Map(Object.entries(urls)), {})
  expect(config['privacy-manager-peers']).toEqual(['http://b/', 'http://c/'])
  expect(structuredClone(config)).toEqual(config)
})
