import { expect, test } from 'vitest'
import { resolveConfig } from '../../config/resolveConfig.ts'
import { exposedApis } from './exposedApis.ts'

const exposed = (...flags: readonly (readonly [string, string])[]) =>
  exposedApis(resolveConfig(new Map([['genesis-file', 'g'], ['rpc-http-enabled', 'true'], ...flags]), {}).config)

const apis = ['rpc-http-api', 'ETH,ADMIN,DEBUG'] as const
const open = ['rpc-http-host', '0.0.0.0'] as const

test('powerful groups beyond this machine are named', () => {
  const option = '--rpc-http-authentication-enabled'
  expect(exposed(apis, open)).toEqual([{ server: 'jsonrpc', host: '0.0.0.0', apis: 'ADMIN, DEBUG', option }])
})

test('so are those that the explorer serves', () => {
  const [page, far] = [['explorer-enabled', 'true'] as const, ['explorer-http-host', '0.0.0.0'] as const]
  expect(exposed(apis, page, far)).toMatchObject([{ server: 'explorer', host: '0.0.0.0', apis: 'ADMIN, DEBUG' }])
  expect(exposed(apis, page)).toEqual([])
  expect(exposed(apis, far)).toEqual([])
})

test('but not with authentication, on loopback, without such groups, or switched off', () => {
  expect(exposed(apis, open, ['rpc-http-authentication-enabled', 'true'])).toEqual([])
  expect(exposed(apis)).toEqual([])
  expect(exposed(apis, ['rpc-http-host', 'localhost'])).toEqual([])
  expect(exposed(open)).toEqual([])
  expect(exposed(apis, open, ['rpc-http-enabled', 'false'])).toEqual([])
})
