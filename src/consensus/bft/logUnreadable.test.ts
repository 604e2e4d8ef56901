import { expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { toHex } from '../../primitives/hex.ts'
import { logUnreadable } from './logUnreadable.ts'

test('says once of each peer whose it is and why it is not read', () => {
  const lines: object[] = []
  const log = logUnreadable({ ...createSilentLogs(), warn: (fields) => void lines.push(fields) })
  const [a, b] = authorities(2).map(({ address }) => address)
  const reason = 'RLP_WRONG_LENGTH (want: 4, have: 5)'
  for (let i = 0; i < 3; i++) {
    log({ address: a!, kind: 'proposal', reason })
    log({ address: a!, kind: 'roundChange', reason })
    log({ address: b!, kind: undefined, reason })
  }
  expect(lines).toEqual([
    { peer: toHex(a!), message: 'proposal', reason },
    { peer: toHex(b!), message: undefined, reason },
  ])
})
