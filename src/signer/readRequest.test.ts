import { describe, expect, test } from 'vitest'
import { readRequest } from './readRequest.ts'

describe('readRequest', () => {
  test.each([
    ['another method', '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["eth_sign"]}'],
    ['a notification', '{"jsonrpc":"2.0","method":"eth_accounts"}'],
    ['invalid parameters', '{"jsonrpc":"2.0","id":1,"method":"eth_accounts","params":{}}'],
    ['invalid JSON', '{"id":1,"method":"eth_accounts"'],
    ['a scalar', '"eth_accounts"'],
    ['a batch of other methods', '[{"id":1,"method":"eth_call","params":["eth_sign"]}]'],
    ['a batch that is too large', `[${Array(1025).fill('{"id":1,"method":"eth_accounts"}').join()}]`],
  ])('%s is for the node', (_, text) => expect(readRequest(text)).toBeUndefined())

  test('keeps ids that are no doubles', () => {
    expect(readRequest('{"id":12345678901234567890,"method":"eth_accounts"}')).toEqual({
      kind: 'call',
      call: { id: '12345678901234567890', name: 'eth_accounts', params: [] },
    })
  })

  test('gathers what is for the node, in order', () => {
    const foreign = ['{"id":1, "method":"eth_chainId"}', '{"method":"x"}', '3']
    const own = '{"id":"o","method":"eth_accounts","params":[]}'
    expect(readRequest(`[${foreign.join(' , ')},${own},${foreign[0]}]`)).toEqual({
      kind: 'batch',
      parts: [
        { texts: foreign, ids: ['1'] },
        { id: '"o"', name: 'eth_accounts', params: [] },
        { texts: [foreign[0]], ids: ['1'] },
      ],
    })
  })
})
