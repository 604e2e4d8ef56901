import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ChainView } from '../../chain/view.ts'
import { integer } from '../codecs/integer.ts'
import { text as textCodec } from '../codecs/text.ts'
import type { RpcContext, RpcPorts } from './context.ts'
import { createDispatcher, httpTransport, type Reply } from './dispatch.ts'
import { createKeptAnswers, keyOf } from './keptAnswers.ts'
import { method, optionalParam } from './method.ts'
import type { Requester } from './requester.ts'
import { answerUnread } from './unreadRequests.ts'

const called: string[] = []
let view: ChainView
let ports: RpcPorts
beforeEach(() => {
  called.length = 0
  view = {} as ChainView
  ports = { chain: () => view, pool: {} } as RpcPorts
})

/** The ways in which clients write a call. */
const layouts: [string, (id: unknown, method: string, params: readonly unknown[]) => object][] = [
  ['viem, web3.js and go-ethereum', (id, method, params) => ({ jsonrpc: '2.0', id, method, params })],
  ['web3j', (id, method, params) => ({ jsonrpc: '2.0', method, params, id })],
  ['ethers', (id, method, params) => ({ method, params, id, jsonrpc: '2.0' })],
]
const [, layout] = layouts[0]!

describe('without parsing', () => {
  const maxBatch = 3
  function open() {
    const kept = createKeptAnswers()
    for (const n of [1, 2]) kept.put(view, keyOf('eth_read', [n]), 'eth_read', `"${n}"`)
    kept.put(view, keyOf('eth_other', []), 'eth_other', '{"a":[]}')
    const answer = answerUnread(
      kept,
      maxBatch,
      (name) => called.push(name),
      () => 0,
    )
    return (json: unknown, requester: Requester = {}) => answer(JSON.stringify(json), ports, requester)
  }
  const resultOf = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
  const bodyOf = (reply: Reply | undefined) => JSON.parse(String(reply?.body))

  describe.each(layouts)('as %s write it', (_, layout) => {
    test.each([0, 1, 17, 999_999_999_999_999, '', 'a-B_9', '6f3ef1b6-5a61-4b0f-9d84-5d1f0c2d3a10'])('id %j', (id) => {
      const ask = open()
      expect(bodyOf(ask(layout(id, 'eth_read', [2])))).toEqual(resultOf(id, '2'))
      expect(called).toEqual(['eth_read'])
    })

    test('a batch', () => {
      const calls = [layout(7, 'eth_read', [2]), layout('b', 'eth_other', []), layout(9, 'eth_read', [1])]
      expect(bodyOf(open()(calls))).toEqual([resultOf(7, '2'), resultOf('b', { a: [] }), resultOf(9, '1')])
      expect(called).toEqual(['eth_read', 'eth_other', 'eth_read'])
    })

    test.each([null, true, -1, 1.5, 1e21, 'a"b', 'ä', [1], { a: 1 }, undefined])('not with id %j', (id) => {
      expect(open()(layout(id, 'eth_read', [2]))).toBeUndefined()
    })

    test('not what is not kept', () => {
      const ask = open()
      expect(ask(layout(1, 'eth_read', [3]))).toBeUndefined()
      expect(ask([layout(1, 'eth_read', [1]), layout(2, 'eth_read', [3])])).toBeUndefined()
      expect(ask([])).toBeUndefined()
      expect(ask(Array.from({ length: maxBatch + 1 }, () => layout(1, 'eth_read', [1])))).toBeUndefined()
      expect(called).toEqual([])
    })

    test('not after the next head', () => {
      const ask = open()
      expect(ask([layout(1, 'eth_read', [1])])).toBeDefined()
      view = {} as ChainView
      expect(ask(layout(1, 'eth_read', [1]))).toBeUndefined()
      expect(ask([layout(1, 'eth_read', [1])])).toBeUndefined()
    })

    test('not for a caller who may not call a method', () => {
      const ask = open()
      const requester: Requester = { may: (name) => name === 'eth_read' }
      expect(bodyOf(ask(layout(1, 'eth_read', [1]), requester))).toEqual(resultOf(1, '1'))
      expect(ask(layout(1, 'eth_other', []), requester)).toBeUndefined()
      const batch = [layout(1, 'eth_read', [1]), layout(2, 'eth_other', [])]
      expect(ask(batch, requester)).toBeUndefined()
      // Nor when it was answered to somebody else.
      expect(ask(batch)).toBeDefined()
      expect(ask(batch)).toBeDefined()
      expect(ask(batch, requester)).toBeUndefined()
    })
  })

  test('all calls of a batch count for the limit; the first one has counted already', () => {
    let spent = 0
    open()([layout(1, 'eth_read', [1]), layout(2, 'eth_read', [2])], { spend: (calls) => (spent += calls) > 0 })
    expect(spent).toBe(1)
  })
})

describe('a server that keeps answers', () => {
  const echo = (name: string, needs: readonly (keyof RpcContext)[]) =>
    method({
      name,
      doc: '',
      needs,
      params: [optionalParam('n', integer)],
      result: textCodec,
      handler: (_, [n]) => `${name} ${n}`,
    })
  const open = () =>
    createDispatcher({
      methods: [echo('eth_read', ['chain']), echo('eth_other', ['chain']), echo('eth_pooled', ['chain', 'pool'])],
      knownNames: new Set(),
      namespaces: ['ETH'],
      transport: httpTransport(4),
      faults: () => undefined,
      now: () => 0,
      onInternalError(error) {
        throw error
      },
    })
  type Opened = ReturnType<typeof open>
  const ask = ({ dispatch }: Opened, text: string, requester?: Requester) => {
    const { status, body } = dispatch(text, ports, requester) as Reply
    return { status, body }
  }

  /** One that has answered every call that is asked here. */
  function openWarm(): Opened {
    const server = open()
    for (const name of ['eth_read', 'eth_other', 'eth_pooled'])
      for (const params of [[], [1], [2]]) ask(server, JSON.stringify(layout(1, name, params)))
    return server
  }

  const plain = '{"jsonrpc":"2.0","id":1,"method":"eth_read","params":[1]}'
  test.each([
    plain,
    `${plain} `,
    ` ${plain}`,
    `${plain}}`,
    `{${plain}`,
    `[${plain}`,
    `[${plain},${plain},]`,
    `[${plain},${plain}]`,
    `[${plain}, ${plain}]`,
    `[${plain},[${plain}]]`,
    '{"jsonrpc":"2.0","id":01,"method":"eth_read","params":[1]}',
    '{"jsonrpc":"2.0","id":,"method":"eth_read","params":[1]}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_read","params":[1],"id":2}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_other","method":"eth_read","params":[1]}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_other","params":[2],"method":"eth_read","params":[1]}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_read","params":[1]}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_read","params":[1],"\\u0069d":2}',
    '{"jsonrpc":"2.0","method":"eth_read","params":[1],"id":1,"id":2}',
    '{"method":"eth_read","params":[1],"id":1,"jsonrpc":"2.0","jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_read\\u0000","params":[1]}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_pooled","params":[1]}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_read","params":[{"jsonrpc":"2.0","id":1,"method":"eth_read","params":[1]}]}',
    '[{"jsonrpc":"2.0","id":1,"method":"eth_read","params":[{},{"jsonrpc":"2.0","id":1,"method":"eth_read","params":[1]}]}]',
  ])('answers %s as one that does not', (text) => {
    expect(ask(openWarm(), text)).toEqual(ask(open(), text))
  })

  const name = fc.constantFrom('eth_read', 'eth_other', 'eth_pooled', 'eth_none')
  const params = fc.constantFrom([], [1], [2], ['x'], [{ id: 3 }])
  const id = fc.constantFrom(1, 23, 'a', null, 1.5, undefined)
  const call = fc
    .tuple(fc.constantFrom(...layouts), id, name, params)
    .map(([[, layout], ...rest]) => JSON.stringify(layout(...rest)))
  const request = fc.oneof(
    call,
    fc.array(call, { maxLength: 5 }).map((calls) => `[${calls.join(',')}]`),
  )
  const permitted = fc.option(fc.subarray(['eth_read', 'eth_other', 'eth_pooled']), { nil: undefined })

  test('answers each caller as one that does not', () => {
    const answersAlike = (whole: string, names: readonly string[] | undefined, end: number | undefined) => {
      const requester: Requester = names ? { may: (name) => names.includes(name) } : {}
      const text = whole.slice(0, end)
      expect(ask(openWarm(), text, requester)).toEqual(ask(open(), text, requester))
    }
    fc.assert(fc.property(request, permitted, fc.option(fc.nat(200), { nil: undefined }), answersAlike))
  })
})
