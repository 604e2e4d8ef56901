import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractAt, type GraphqlChain, initCode, openGraphqlChain, sender } from '../../test/support/graphqlChain.ts'
import { devTx, draftBlock, makeBlock } from '../../test/support/testChain.ts'
import { toHex } from '../primitives/hex.ts'
import { oneStep } from '../primitives/steps.ts'
import type { Block } from '../types/block.ts'
import { encodeTx, txHash } from '../types/encodeTx.ts'
import { blankHeader, headerHash } from '../types/header.ts'

const contract = contractAt(0)
const address = toHex(contract)
const topics = [1, 2, 3].map((n) => `0x${n.toString(16).padStart(64, '0')}`)
const word42 = `0x${'2a'.padStart(64, '0')}`
const ommer = { ...blankHeader, number: 1n, difficulty: 100n, gasLimit: 5000n }
const call = (nonce: bigint, topic: number) =>
  devTx(nonce, { to: contract, data: Buffer.from(topics[topic]!.slice(2), 'hex') })
const waiting = devTx(4n, { to: contract })

let node: GraphqlChain
/** Deployment; two calls; a call with an ommer. */
let blocks: Block[]
const data = <T = Record<string, never>>(query: string, variables?: Record<string, unknown>) =>
  node.data<T>(query, variables)
const hashOf = (number: number) => toHex(headerHash(blocks[number - 1]!.header))

beforeAll(async () => {
  node = openGraphqlChain()
  const { chain } = node
  blocks = [makeBlock(chain, [devTx(0n, { data: initCode })]), makeBlock(chain, [call(1n, 0), call(2n, 1)])]
  const last = chain.produce(
    { ...draftBlock(chain), ommers: [ommer] },
    oneStep((run) => {
      const tx = call(3n, 2)
      run.add(tx, sender)
      return [tx]
    }),
  )
  blocks.push(last!.block)
  await node.ask(`mutation{sendRawTransaction(data:"${toHex(encodeTx(waiting))}")}`)
})
afterAll(async () => {
  expect(node.internalErrors).toEqual([])
  await node.close()
})

describe('block', () => {
  test('is the latest one without arguments', async () => {
    expect(await data('{block{number transactions{hash}}}')).toEqual({
      block: { number: 3, transactions: [{ hash: toHex(txHash(call(3n, 2))) }] },
    })
  })

  test.each([
    ['integer', '{block(number:2){number}}'],
    ['decimal string', '{block(number:"2"){number}}'],
    ['hex string', '{block(number:"0x2"){number}}'],
  ])('by number: %s', async (_, query) => expect(await data(query)).toEqual({ block: { number: 2 } }))

  test('by hash', async () => {
    expect(await data(`{block(hash:"${hashOf(2)}"){number}}`)).toEqual({ block: { number: 2 } })
  })

  test('that is not known is null, with an error that says so', async () => {
    const { status, body } = await node.ask('{block(number:99){number}}')
    expect(status).toBe(400)
    expect(body).toEqual({
      errors: [
        {
          message: 'Exception while fetching data (/block) : Block number 99 was not found',
          locations: [{ line: 1, column: 2 }],
          path: ['block'],
          extensions: { classification: 'DataFetchingException' },
        },
      ],
      data: { block: null },
    })
  })

  test('by an unknown hash', async () => {
    const { status, body } = await node.ask('{block(hash:"0x12"){number}}')
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining(`Block hash 0x${'12'.padStart(64, '0')} was not found`),
    ])
  })

  test('by number and hash is refused', async () => {
    const { body } = await node.ask(`{block(number:2,hash:"${hashOf(2)}"){number}}`)
    expect(body).toMatchObject({ errors: [{ extensions: { errorCode: -32602 } }], data: { block: null } })
  })

  test('fields of the header have the forms that clients expect', async () => {
    const { header } = blocks[1]!
    const fields =
      'number hash nonce timestamp difficulty totalDifficulty gasUsed gasLimit logsBloom mixHash ommerHash extraData stateRoot receiptsRoot transactionsRoot transactionCount ommerCount baseFeePerGas miner{address} parent{hash}'
    expect(await data(`{block(number:2){${fields}}}`)).toEqual({
      block: {
        number: 2,
        hash: hashOf(2),
        nonce: toHex(header.nonce),
        timestamp: `0x${header.timestamp.toString(16)}`,
        difficulty: '0x64',
        totalDifficulty: '0x100c8',
        gasUsed: Number(header.gasUsed),
        gasLimit: Number(header.gasLimit),
        logsBloom: toHex(header.logsBloom),
        mixHash: toHex(header.mixHash),
        ommerHash: toHex(header.ommersHash),
        extraData: '0x',
        stateRoot: toHex(header.stateRoot),
        receiptsRoot: toHex(header.receiptsRoot),
        transactionsRoot: toHex(header.transactionsRoot),
        transactionCount: 2,
        ommerCount: 0,
        baseFeePerGas: `0x${header.baseFee!.toString(16)}`,
        miner: { address: `0x${'00'.repeat(20)}` },
        parent: { hash: hashOf(1) },
      },
    })
  })

  test('the genesis block has no parent', async () => {
    expect(await data('{block(number:0){parent{hash} ommers{hash}}}')).toEqual({ block: { parent: null, ommers: [] } })
  })

  test('ommers, and ommerAt inside and outside of them', async () => {
    const hash = toHex(headerHash(ommer))
    const query = '{block{ommerCount ommers{hash} first:ommerAt(index:0){hash} second:ommerAt(index:1){hash}}}'
    expect(await data(query)).toEqual({ block: { ommerCount: 1, ommers: [{ hash }], first: { hash }, second: null } })
  })

  test('an ommer has a header and nothing else', async () => {
    const fields = 'number totalDifficulty transactionCount ommerCount transactions{hash} estimateGas(data:{})'
    expect(await data(`{block{ommerAt(index:0){${fields}}}}`)).toEqual({
      block: {
        ommerAt: {
          number: 1,
          totalDifficulty: '0x0',
          transactionCount: 0,
          ommerCount: null,
          transactions: [],
          estimateGas: 0,
        },
      },
    })
  })

  test('transactionAt inside and outside', async () => {
    expect(await data('{block(number:2){in:transactionAt(index:1){index} out:transactionAt(index:9){index}}}')).toEqual(
      {
        block: { in: { index: 1 }, out: null },
      },
    )
    const { status, body } = await node.ask('{block{transactionAt(index:-1){index}}}')
    expect([status, body]).toMatchObject([400, { data: { block: { transactionAt: null } } }])
  })

  test('account is that of the block', async () => {
    const query = (number: number) =>
      data(`{block(number:${number}){account(address:"${address}"){storage(slot:"0x0") code}}}`)
    expect(await query(1)).toMatchObject({ block: { account: { storage: `0x${'0'.repeat(64)}` } } })
    expect(await query(2)).toMatchObject({ block: { account: { storage: word42 } } })
    expect(await query(0)).toMatchObject({ block: { account: { code: '0x' } } })
  })

  test('call: data and status', async () => {
    const query = `{block{call(data:{from:"${toHex(sender)}",to:"${address}",data:"${topics[0]}"}){data status gasUsed}}}`
    expect(await data(query)).toEqual({ block: { call: { data: word42, status: 1, gasUsed: expect.any(Number) } } })
  })

  test('call that fails', async () => {
    expect(await data('{block{call(data:{data:"0xfe"}){data status}}}')).toEqual({
      block: { call: { data: '0x', status: 0 } },
    })
  })

  test('call that has too little gas to start', async () => {
    expect(await data('{block{call(data:{gas:5}){data status gasUsed}}}')).toEqual({
      block: { call: { data: '0x', status: 0, gasUsed: 6 } },
    })
  })

  test('call with a value that nobody has', async () => {
    const query = `{block{call(data:{from:"0x${'77'.repeat(20)}",to:"${address}",value:"0xffffffffffff"}){status}}}`
    expect(await data(query)).toEqual({ block: { call: { status: 1 } } })
  })

  test('estimateGas', async () => {
    const query = `{block{transfer:estimateGas(data:{from:"${toHex(sender)}",to:"0x${'01'.repeat(20)}"}) nothing:estimateGas(data:{})}}`
    expect(await data(query)).toEqual({ block: { transfer: 21_000, nothing: 53_000 } })
  })

  test('logs of the block', async () => {
    expect(await data(`{block(number:2){logs(filter:{topics:[["${topics[1]}"]]}){index topics}}}`)).toEqual({
      block: { logs: [{ index: 1, topics: [topics[1]] }] },
    })
    expect(await data('{block(number:2){logs(filter:{}){index}}}')).toEqual({
      block: { logs: [{ index: 0 }, { index: 1 }] },
    })
  })
})

describe('blocks', () => {
  test('from and to are included', async () => {
    expect(await data('{blocks(from:1,to:2){number}}')).toEqual({ blocks: [{ number: 1 }, { number: 2 }] })
  })
  test('up to the latest', async () => {
    expect(await data('{blocks(from:2){number}}')).toEqual({ blocks: [{ number: 2 }, { number: 3 }] })
    expect(await data('{blocks(from:3,to:"0xffff"){number}}')).toEqual({ blocks: [{ number: 3 }] })
  })
  test.each(['from:3,to:1', 'to:3', 'from:-1'])('(%s) is refused', async (args) => {
    const { status, body } = await node.ask(`{blocks(${args}){number}}`)
    expect([status, body]).toMatchObject([400, { data: null }])
  })
})

describe('account', () => {
  test('balance and code at the latest block', async () => {
    const answer = await data<{ account: { balance: string } }>(`{account(address:"${toHex(sender)}"){balance code}}`)
    expect(answer).toEqual({ account: { balance: expect.stringMatching(/^0x[1-9a-f][0-9a-f]*$/), code: '0x' } })
  })
  test('address may lack its prefix', async () => {
    expect(await data(`{account(address:"${address.slice(2)}"){address}}`)).toEqual({ account: { address } })
  })
  test('blockNumber', async () => {
    expect(await data(`{account(address:"${toHex(sender)}",blockNumber:1){transactionCount}}`)).toEqual({
      account: { transactionCount: 1 },
    })
  })
  test('at a block that is not there', async () => {
    const { body } = await node.ask(`{account(address:"${address}",blockNumber:99){balance}}`)
    expect(body).toMatchObject({ errors: [{ extensions: { errorCode: -32602 } }], data: null })
  })
  test('that nobody has is empty', async () => {
    const query = `{account(address:"0x${'99'.repeat(20)}"){address balance transactionCount code storage(slot:"0x1")}}`
    expect(await data(query)).toEqual({
      account: {
        address: `0x${'99'.repeat(20)}`,
        balance: '0x0',
        transactionCount: 0,
        code: '0x',
        storage: `0x${'0'.repeat(64)}`,
      },
    })
  })
})

describe('pending', () => {
  test('counts and shows the pool', async () => {
    expect(await data('{pending{transactionCount transactions{hash index status block{number}}}}')).toEqual({
      pending: {
        transactionCount: 1,
        transactions: [{ hash: toHex(txHash(waiting)), index: null, status: null, block: null }],
      },
    })
  })
  test('account, call and estimateGas do not see what waits', async () => {
    const query = `{pending{account(address:"${toHex(sender)}"){transactionCount} call(data:{to:"${address}",data:"0x"}){data} estimateGas(data:{})}}`
    expect(await data(query)).toEqual({
      pending: { account: { transactionCount: 4 }, call: { data: word42 }, estimateGas: 53_000 },
    })
  })
  test('receipts of what waits are errors', async () => {
    const { status, body } = await node.ask('{pending{transactions{logs{index}}}}')
    expect([status, body]).toMatchObject([400, { data: { pending: { transactions: [{ logs: null }] } } }])
  })
})

describe('logs', () => {
  const logs = (filter: string) =>
    data(`{logs(filter:{${filter}}){index topics data account{address} transaction{hash}}}`)
  const shown = (tx: ReturnType<typeof devTx>, index: number, topic: number) => ({
    index,
    topics: [topics[topic]],
    data: word42,
    account: { address },
    transaction: { hash: toHex(txHash(tx)) },
  })
  test('fromBlock and toBlock', async () => {
    expect(await logs('fromBlock:0,toBlock:2')).toEqual({ logs: [shown(call(1n, 0), 0, 0), shown(call(2n, 1), 1, 1)] })
  })
  test('the latest block when neither is given', async () => {
    expect(await logs('')).toEqual({ logs: [shown(call(3n, 2), 0, 2)] })
  })
  test('addresses', async () => {
    expect(await logs(`fromBlock:0,addresses:["0x${'01'.repeat(20)}"]`)).toEqual({ logs: [] })
    expect(await logs(`addresses:["0x${'01'.repeat(20)}","${address}"]`)).toEqual({ logs: [shown(call(3n, 2), 0, 2)] })
  })
  test('topics', async () => {
    expect(await logs(`fromBlock:0,topics:[["${topics[1]}"]]`)).toEqual({ logs: [shown(call(2n, 1), 1, 1)] })
    expect(await data('{logs(filter:{fromBlock:0,topics:[[]]}){index}}')).toEqual({
      logs: [{ index: 0 }, { index: 1 }, { index: 0 }],
    })
  })
  test('a range that runs backwards is refused', async () => {
    const { body } = await node.ask('{logs(filter:{fromBlock:2,toBlock:1}){index}}')
    expect(body).toMatchObject({ errors: [{ extensions: { errorCode: -32602 } }], data: null })
  })
})

describe('transaction', () => {
  test('of a block, with its receipt', async () => {
    const tx = call(2n, 1)
    const fields =
      'hash nonce index from{address} to{address} value gasPrice gas inputData status gasUsed cumulativeGasUsed effectiveGasPrice type v yParity maxFeePerGas accessList{address} logs{index transaction{index}} block{number} createdContract{address}'
    expect(await data(`{transaction(hash:"${toHex(txHash(tx))}"){${fields}}}`)).toEqual({
      transaction: {
        hash: toHex(txHash(tx)),
        nonce: 2,
        index: 1,
        from: { address: toHex(sender) },
        to: { address },
        value: '0x0',
        gasPrice: '0x3e8',
        gas: 1_000_000,
        inputData: topics[1],
        status: 1,
        gasUsed: expect.any(Number),
        cumulativeGasUsed: Number(blocks[1]!.header.gasUsed),
        effectiveGasPrice: '0x3e8',
        type: 0,
        v: expect.stringMatching(/^0xa9[56]$/),
        yParity: null,
        maxFeePerGas: null,
        accessList: [],
        logs: [{ index: 1, transaction: { index: 1 } }],
        block: { number: 2 },
        createdContract: null,
      },
    })
  })
  test('that creates a contract', async () => {
    const hash = toHex(txHash(blocks[0]!.transactions[0]!))
    expect(
      await data(
        `{transaction(hash:"${hash}"){to{address} createdContract{address code} before:createdContract(block:0){code}}}`,
      ),
    ).toEqual({
      transaction: {
        to: null,
        createdContract: { address, code: expect.stringMatching(/^0x602a/) },
        before: { code: '0x' },
      },
    })
  })
  test('accounts at another block', async () => {
    const hash = toHex(txHash(call(3n, 2)))
    expect(await data(`{transaction(hash:"${hash}"){from(block:1){transactionCount}}}`)).toEqual({
      transaction: { from: { transactionCount: 1 } },
    })
  })
  test.each([
    ['unknown', `0x${'ab'.repeat(32)}`],
    ['waiting', toHex(txHash(waiting))],
  ])('%s is null', async (_, hash) =>
    expect(await data(`{transaction(hash:"${hash}"){hash}}`)).toEqual({ transaction: null }),
  )
})

test('gasPrice and maxPriorityFeePerGas', async () => {
  expect(await data('{gasPrice maxPriorityFeePerGas}')).toEqual({ gasPrice: '0x3e8', maxPriorityFeePerGas: '0x0' })
})

test('chainID and protocolVersion', async () => {
  expect(await data('{chainID protocolVersion}')).toEqual({ chainID: '0x539', protocolVersion: 68 })
})

test('syncing is null when the node is in sync', async () => {
  expect(await data('{syncing{startingBlock currentBlock highestBlock}}')).toEqual({ syncing: null })
})

test('syncing shows how far a node has come', async () => {
  const behind = openGraphqlChain({
    ports: { syncStatus: () => ({ startingBlock: 1n, currentBlock: 5n, highestBlock: 9n }) },
  })
  expect(await behind.data('{syncing{startingBlock currentBlock highestBlock}}')).toEqual({
    syncing: { startingBlock: 1, currentBlock: 5, highestBlock: 9 },
  })
  await behind.close()
})

describe('sendRawTransaction', () => {
  const send = (bytes: Uint8Array | string) =>
    node.ask('mutation($data:Bytes!){sendRawTransaction(data:$data)}', {
      data: typeof bytes === 'string' ? bytes : toHex(bytes),
    })
  test('gives the hash', async () => {
    const tx = devTx(5n, { to: contract })
    expect(await send(encodeTx(tx))).toEqual({ status: 200, body: { data: { sendRawTransaction: toHex(txHash(tx)) } } })
  })
  test.each([
    ['a used nonce', encodeTx(devTx(0n)), -32001, 'Nonce too low'],
    ['no transaction', '0x1234', -32602, 'Invalid params'],
    ['too little gas', encodeTx(devTx(6n, { gasLimit: 1n })), -32003, 'Intrinsic gas exceeds gas limit'],
  ])('refuses %s', async (_, bytes, errorCode, errorMessage) => {
    expect(await send(bytes)).toEqual({
      status: 400,
      body: {
        errors: [
          {
            message: `Exception while fetching data (/sendRawTransaction) : ${errorMessage}`,
            locations: [{ line: 1, column: 24 }],
            path: ['sendRawTransaction'],
            extensions: { errorCode, errorMessage, classification: 'DataFetchingException' },
          },
        ],
        data: null,
      },
    })
  })
})

test('Longs are in hex where that is wanted; all else stays as it is', async () => {
  const other = openGraphqlChain({ longAsHex: true })
  makeBlock(other.chain, [devTx(0n)])
  expect(
    await other.data('{block{number gasLimit timestamp transactionCount transactions{index status nonce}}}'),
  ).toEqual({
    block: {
      number: '0x1',
      gasLimit: expect.stringMatching(/^0x[0-9a-f]+$/),
      timestamp: expect.stringMatching(/^0x[0-9a-f]+$/),
      transactionCount: '0x1',
      transactions: [{ index: '0x0', status: '0x1', nonce: '0x0' }],
    },
  })
  await other.close()
})

test('one request reads one snapshot, whatever happens meanwhile', async () => {
  let tell = () => {}
  const moving = openGraphqlChain({
    ports: {
      minGasPrice() {
        tell()
        return 0n
      },
    },
  })
  tell = () => void makeBlock(moving.chain)
  // A block is made between the first field and the last.
  expect(await moving.data('{before:block{number} gasPrice after:block{number}}')).toEqual({
    before: { number: 0 },
    gasPrice: '0x0',
    after: { number: 0 },
  })
  expect(await moving.data('{block{number}}')).toEqual({ block: { number: 1 } })
  await moving.close()
})

test('a block that left the canonical chain is shown, but its state is not that of another block', async () => {
  const other = openGraphqlChain()
  const { header } = makeBlock(other.chain, [devTx(0n)])
  other.chain.setHead(0n)
  const hash = toHex(headerHash(header))
  expect(await other.data(`{block(hash:"${hash}"){number transactions{status}}}`)).toEqual({
    block: { number: 1, transactions: [{ status: 1 }] },
  })
  const { status, body } = await other.ask(`{block(hash:"${hash}"){account(address:"${address}"){balance}}}`)
  expect([status, body]).toMatchObject([
    400,
    { errors: [{ path: ['block', 'account', 'balance'], extensions: { errorCode: -32008 } }], data: { block: null } },
  ])
  await other.close()
})
