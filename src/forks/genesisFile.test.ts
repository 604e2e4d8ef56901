import { expect, test } from 'vitest'
import { parseGenesisFile, withoutAccounts } from './genesisFile.ts'

const rules = {
  config: { chainId: '9007199254740993', londonBlock: 0, qbft: { epochLength: 30000 } },
  gasLimit: '0x1c9c380',
  difficulty: '0x1',
  extraData: '0x',
}
const account = { balance: '1000', code: '0x6001', storage: { [`0x${'01'.repeat(32)}`]: '0x2' } }

test.each(['alloc', 'ALLOC'])('the rules of a file are the same without its accounts, named %s', (key) => {
  const text = JSON.stringify({ ...rules, [key]: { ['11'.repeat(20)]: account } })
  const whole = parseGenesisFile(text)
  expect(whole.alloc).toHaveLength(1)
  expect(parseGenesisFile(withoutAccounts(text))).toEqual({ ...whole, alloc: [] })
})

test('a file without accounts stays as it is', () => {
  expect(JSON.parse(withoutAccounts(JSON.stringify(rules)))).toEqual(rules)
})
