import { getIntrospectionQuery } from 'graphql'
import { afterEach, expect, test } from 'vitest'
import {
  contractAt,
  type GraphqlChain,
  type GraphqlChainOptions,
  initCode,
  openGraphqlChain,
} from '../../test/support/graphqlChain.ts'
import { devTx, makeBlock } from '../../test/support/testChain.ts'
import type { ChainView } from '../chain/view.ts'

let node: GraphqlChain
afterEach(() => node.close())

function open(options: GraphqlChainOptions = {}): GraphqlChain {
  node = openGraphqlChain(options)
  return node
}

const messageOf = (body: object) => (body as { errors: { message: string }[] }).errors[0]?.message

/** Counts the calls of a view's methods. */
function counting(counts: Map<string, number>): (view: ChainView) => ChainView {
  return (view) =>
    new Proxy(view, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          counts.set(String(name), (counts.get(String(name)) ?? 0) + 1)
          return Reflect.apply(value, target, args) as unknown
        }
      },
    })
}

test('a block is read once, however many of its transactions and receipts are asked for', async () => {
  const counts = new Map<string, number>()
  const { chain, data } = open({ watch: counting(counts) })
  const txsPerBlock = 20
  const blocks = 10
  let nonce = 0n
  makeBlock(chain, [devTx(nonce++, { data: initCode })])
  for (let i = 1; i < blocks; i++)
    makeBlock(
      chain,
      Array.from({ length: txsPerBlock }, () => devTx(nonce++, { to: contractAt(0), data: new Uint8Array(32) })),
    )
  const query =
    '{blocks(from:1){number transactions{hash from{address} status gasUsed logs{data topics account{address} transaction{hash}} block{number}}}}'
  const answer = await data<{ blocks: { transactions: { status: number; logs: unknown[] }[] }[] }>(query)
  expect(answer.blocks).toHaveLength(blocks)
  expect(answer.blocks[5]!.transactions).toHaveLength(txsPerBlock)
  expect(answer.blocks[5]!.transactions.every(({ status, logs }) => status === 1 && logs.length === 1)).toBe(true)
  expect(Object.fromEntries(counts)).toEqual({ headerAt: blocks - 1, body: blocks, receipts: blocks })
})

test('an account is looked up in one state for all that ask', async () => {
  const counts = new Map<string, number>()
  const { chain, data } = open({ watch: counting(counts) })
  makeBlock(
    chain,
    Array.from({ length: 20 }, (_, nonce) => devTx(BigInt(nonce), { to: contractAt(0) })),
  )
  await data('{block{transactions{from{balance transactionCount code} to{balance}}}}')
  expect(counts.get('stateAt')).toBe(1)
})

test('a range of blocks that is wider than the operator allows is refused, also beyond the head', async () => {
  const { chain, ask } = open({ ports: { maxBlocksRange: 2 } })
  for (let i = 0; i < 5; i++) makeBlock(chain)
  expect((await ask('{blocks(from:1,to:3){number}}')).status).toBe(200)
  expect((await ask('{blocks(from:4){number}}')).status).toBe(200)
  for (const range of ['from:1,to:4', 'from:1', 'from:5,to:100'])
    expect(messageOf((await ask(`{blocks(${range}){number}}`)).body), range).toMatch('Invalid params')
})

test('a query that asks for the world gets a clear error', async () => {
  const { chain, ask } = open({ limits: { values: 50, time: 10_000 } })
  for (let i = 0; i < 30; i++) makeBlock(chain)
  expect((await ask('{blocks(from:0,to:5){number hash}}')).status).toBe(200)
  const { status, body } = await ask('{blocks(from:0){number hash}}')
  expect(status).toBe(400)
  expect(body).toMatchObject({ data: null, errors: [{ path: ['blocks'] }] })
  expect(messageOf(body)).toContain('too large: more than 50 values')
})

test('what is nullable does not go on once the answer has become too large', async () => {
  const { chain, ask } = open({ limits: { values: 200, time: 10_000 } })
  for (let i = 0; i < 20; i++) makeBlock(chain, [devTx(BigInt(2 * i)), devTx(BigInt(2 * i + 1))])
  const { status, body } = await ask(
    '{block{parent{parent{transactions{hash}}}} blocks(from:0){transactions{hash status}}}',
  )
  expect(status).toBe(400)
  expect((body as { errors: unknown[] }).errors.length).toBeLessThan(5)
})

test('a query that takes too long is given up', async () => {
  let now = 0
  const { chain, ask } = open({ ports: { now: () => now++ * 100 }, limits: { values: 1e6, time: 1000 } })
  for (let i = 0; i < 50; i++) makeBlock(chain, [devTx(BigInt(i))])
  const { status, body } = await ask(
    '{blocks(from:0){number transactions{hash value nonce gas gasUsed status index type}}}',
  )
  expect([status, messageOf(body)]).toEqual([400, expect.stringContaining('longer than 1 s')])
})

test('a call that never ends does', async () => {
  const { data } = open()
  // JUMPDEST PUSH1 0 JUMP
  expect(await data('{block{call(data:{data:"0x5b600056",gas:30000000}){status gasUsed}}}')).toEqual({
    block: { call: { status: 0, gasUsed: 30_000_000 } },
  })
})

test.each([
  ['Besu: blocks of transactions', '{block{transactions{block{transactions{block{number}}}}}}', 204],
  ['Besu: fields of fields of types', '{__schema{types{fields{type{fields{name}}}}}}', 204],
  ['aliases', `{${Array.from({ length: 201 }, (_, i) => `a${i}:chainID`).join(' ')}}`, 201],
  [
    'fragments that double',
    `{block{...F0}} ${Array.from({ length: 8 }, (_, i) => `fragment F${i} on Block{a${i}:parent{...F${i + 1}} b${i}:parent{...F${i + 1}}}`).join(' ')} fragment F8 on Block{number}`,
    767,
  ],
])('complexity: %s', async (_, query, cost) => {
  const { ask } = open()
  expect(await ask(query)).toEqual({
    status: 400,
    body: {
      errors: [
        {
          message: `maximum query complexity exceeded ${cost} > 200`,
          extensions: { classification: 'ExecutionAborted' },
        },
      ],
    },
  })
})

test('a hundred lines of fragments that double are refused at once', async () => {
  const { ask } = open()
  const fragments = Array.from(
    { length: 100 },
    (_, i) => `fragment F${i} on Block{a:parent{...F${i + 1}} b:parent{...F${i + 1}}}`,
  )
  const { status, body } = await ask(`{block{...F0}} ${fragments.join(' ')} fragment F100 on Block{number}`)
  expect([status, messageOf(body)]).toEqual([400, expect.stringContaining('maximum query complexity exceeded')])
})

test('tools can ask for the whole schema', async () => {
  const { data } = open()
  const { __schema } = await data<{ __schema: { types: { name: string }[] } }>(getIntrospectionQuery())
  expect(__schema.types.map(({ name }) => name)).toEqual(expect.arrayContaining(['Block', 'Transaction', 'Long']))
})

test.each([
  [
    'nesting of 1,000',
    `${'{block'.repeat(1000)}${'}'.repeat(1000)}`,
    "More than 500 deep 'grammar' rules have been entered",
  ],
  ['lists in lists', `{logs(filter:{topics:${'['.repeat(1000)}${']'.repeat(1000)}}){index}}`, 'deep'],
  ['20,000 tokens', `{${' chainID'.repeat(20_000)}}`, "More than 15,000 'grammar' tokens"],
  ['2 MB of text', `{${' '.repeat(2_000_000)}chainID}`, 'More than 1,048,576 characters'],
])('%s', async (_, query, message) => {
  const { ask } = open()
  const { status, body } = await ask(query)
  expect([status, body]).toMatchObject([400, { errors: [{ extensions: { classification: 'InvalidSyntax' } }] }])
  expect(messageOf(body)).toContain(message)
})

test('many fields of one name are refused before they are compared with each other', async () => {
  const { ask } = open()
  const { status, body } = await ask(`{${' chainID'.repeat(10_000)}}`)
  expect([status, messageOf(body)]).toEqual([400, 'maximum query complexity exceeded 10000 > 2000'])
})

const endlessCalls = (count: number) =>
  `{block{${Array.from({ length: count }, (_, i) => `c${i}:call(data:{data:"0x5b600056"}){status}`).join(' ')}}}`

test('the calls of a query share gas', async () => {
  const { ask } = open({ gasCap: 100_000n })
  expect((await ask(endlessCalls(20))).status).toBe(200)
  const { status, body } = await ask(endlessCalls(21))
  expect([status, messageOf(body)]).toEqual([400, expect.stringContaining('the calls of the query used too much gas')])
})

test('the calls of a query run in different turns of the event loop', async () => {
  let time = 0
  const { ask } = open({ gasCap: 100_000n, ports: { now: () => (time += 30) } })
  let turns = 0
  let ended = false
  const count = () => {
    turns++
    if (!ended) setImmediate(count)
  }
  setImmediate(count)
  expect((await ask(endlessCalls(8))).status).toBe(200)
  ended = true
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('a filter has a limit on addresses and topics', async () => {
  const { ask } = open()
  const query = 'query($f: FilterCriteria!){logs(filter:$f){index}}'
  const addresses = Array<string>(1001).fill(`0x${'01'.repeat(20)}`)
  const topics = [Array<string>(1001).fill(`0x${'01'.repeat(32)}`)]
  for (const filter of [{ addresses }, { topics }]) {
    const { status, body } = await ask(query, { f: { fromBlock: 0, ...filter } })
    expect([status, messageOf(body)]).toEqual([400, expect.stringContaining('more than 1000 addresses or topics')])
  }
  expect((await ask(query, { f: { fromBlock: 0, addresses: addresses.slice(1) } })).status).toBe(200)
})
