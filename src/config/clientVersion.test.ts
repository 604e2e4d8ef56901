import { expect, test } from 'vitest'
import { clientVersion } from './clientVersion.ts'

test('the identity stands after the name', () => {
  expect(clientVersion('validator-1')).toBe(clientVersion().replace(/^quoin\//, 'quoin/validator-1/'))
})
