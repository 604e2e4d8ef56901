import { expect, test } from 'vitest'
import { methods } from '../rpc/methods/all.ts'
import { namespaceOf } from '../rpc/protocol/method.ts'
import { checkConfig } from './checkConfig.ts'
import { apiGroups } from './options.ts'
import { resolveConfig } from './resolveConfig.ts'

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
