import { beforeEach, expect, test } from 'vitest'
import type { ChainView } from '../../chain/view.ts'
import type { Evms } from '../../query/evms.ts'
import { integer } from '../codecs/integer.ts'
import { text } from '../codecs/text.ts'
import type { RpcContext, RpcPorts } from './context.ts'
import { createDispatcher, httpTransport, type Reply } from './dispatch.ts'
import { RpcError } from './fault.ts'
import { method, param } from './method.ts'

let runs = 0
beforeEach(() => {
  runs = 0
})

function counting(name: string, needs: readonly (keyof RpcContext)[], size = 1) {
  return method({
    name,
    doc: '',
    needs,
    params: [param('n', integer)],
    result: text,
    handler(_, [n]) {
      runs++
      if (n < 0) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
      return `${n}${'.'.repeat(size)}${runs}`
    },
  })
}

/** A method whose result comes in pieces. */
const pieces = method({
  name: 'eth_pieces',
  doc: '',
  needs: ['chain'],
  params: [param('n', integer)],
  result: { ...text, stream: (value: string) => ['"', ...value, '"'] },
  handler: (_, [n]) => `${n}.${++runs}`,
})

let lines = 0

/** Prints a line if its parameter is odd, and depends on the next block if that is above 9. */
const printing = method({
  name: 'eth_print',
  doc: '',
  needs: ['chain', 'evms'],
  params: [param('n', integer)],
  result: text,
  ignoresNextBlock: ([n]) => Number(n) < 10,
  handler(_, [n]) {
    lines += n % 2
    return `${++runs}`
  },
})

const methods = [
  printing,
  pieces,
  counting('eth_read', ['chain', 'limits']),
  counting('eth_execute', ['chain', 'evms', 'budget']),
  counting('eth_pooled', ['chain', 'pool']),
  counting('eth_large', ['chain'], 1 << 20),
]

/** A node whose view of the chain a test replaces, as a new head does. */
function open(more: RpcPorts = {}) {
  let view = {} as ChainView
  const ports = { chain: () => view, evms: {}, limits: {}, pool: {}, ...more } as RpcPorts
  const { dispatch } = createDispatcher({
    methods,
    knownNames: new Set(),
    namespaces: ['ETH'],
    transport: httpTransport(100),
    faults: () => undefined,
    // A turn is never over.
    now: () => 0,
    onInternalError(error) {
      throw error
    },
  })
  const start = (name: string, n: number) =>
    (dispatch(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: [n] }), ports) as Reply).body
  const ask = (name: string, n: number) => JSON.parse([...start(name, n)].join(''))
  return { start, ask, replaceView: () => void (view = {} as ChainView) }
}

test.each(['eth_read', 'eth_execute'])('%s is answered once per view and parameters', (name) => {
  const { ask, replaceView } = open()
  const first = ask(name, 1)
  expect(ask(name, 1)).toEqual(first)
  expect(runs).toBe(1)
  expect(ask(name, 2)).not.toEqual(first)
  expect(runs).toBe(2)
  replaceView()
  expect(ask(name, 1)).not.toEqual(first)
  expect(runs).toBe(3)
})

test('a method that needs more than the chain is run each time', () => {
  const { ask } = open()
  expect(ask('eth_pooled', 1)).not.toEqual(ask('eth_pooled', 1))
})

test('code is executed each time on the development network', () => {
  const { ask } = open({ evms: { nextBlock: () => ({}) } as unknown as Evms })
  expect(ask('eth_execute', 1)).not.toEqual(ask('eth_execute', 1))
  expect(ask('eth_read', 1)).toEqual(ask('eth_read', 1))
})

test('on the development network, what prints nothing and does not depend on the next block is executed once', () => {
  const { ask } = open({ evms: { nextBlock: () => ({}), heard: () => lines } as unknown as Evms })
  expect(ask('eth_print', 2)).toEqual(ask('eth_print', 2))
  expect(ask('eth_print', 1)).not.toEqual(ask('eth_print', 1))
  expect(lines).toBe(2)
  expect(ask('eth_print', 12)).not.toEqual(ask('eth_print', 12))
})

test('errors are not kept, nor are large results', () => {
  const { ask } = open()
  expect(ask('eth_read', -1).error.code).toBe(ask('eth_read', -1).error.code)
  expect(runs).toBe(2)
  expect(ask('eth_large', 1)).not.toEqual(ask('eth_large', 1))
})

test('pieces are joined when they are asked for again, and then kept', () => {
  const { ask, replaceView } = open()
  const answers = [1, 2, 3, 4].map(() => ask('eth_pieces', 1).result)
  expect(answers).toEqual(['1.1', '1.2', '1.2', '1.2'])
  replaceView()
  expect(ask('eth_pieces', 1).result).toBe('1.3')
})

test('pieces that a client takes after the next head are not kept, nor do they replace what is kept of that one', () => {
  const { start, ask, replaceView } = open()
  ask('eth_pieces', 1)
  const late = start('eth_pieces', 1)
  replaceView()
  const read = ask('eth_read', 1)
  expect(JSON.parse([...late].join('')).result).toBe('1.2')
  expect(ask('eth_read', 1)).toEqual(read)
  expect(ask('eth_pieces', 1).result).toBe('1.4')
})
