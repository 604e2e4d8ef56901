import { afterEach, expect, test } from 'vitest'
import { createRecordedLogs } from '../../../test/support/recordedLogs.ts'
import { devTx, makeBlock, openTestChain, removeFolder, type TestChain } from '../../../test/support/testChain.ts'
import type { ChainParts } from '../../chain/chainParts.ts'
import type { ChainView } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import { createChainSpec } from '../../forks/chainSpec.ts'
import { createDevGenesis } from '../../forks/devGenesis.ts'
import { toGenesisFile } from '../../forks/genesisFile.ts'
import type { Enode } from '../../net/enode.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'
import { hexToAddress } from '../../primitives/hex.ts'
import { runSteps } from '../../primitives/steps.ts'
import { maxU256, toWord } from '../../primitives/u256.ts'
import type { Verdict } from '../rules.ts'
import { createAccountsContract } from './accountsContract.ts'
import { checkAccountsContract, checkNodesContract } from './checkContracts.ts'
import { createContractNodeRule } from './contractNodeRule.ts'
import { createContractTxRule } from './contractTxRule.ts'
import { type AtHead, createHeadEvm } from './headEvm.ts'
import { createNodesContract } from './nodesContract.ts'

const contract = hexToAddress('0000000000000000000000000000000000008888')
const withoutCode = hexToAddress('0000000000000000000000000000000000000e0a')
const missing = hexToAddress('000000000000000000000000000000000000dead')
const alice = hexToAddress('00000000000000000000000000000000000000aa')

/** Returns slot 0 whatever is asked; 32 bytes of call data are its new value. */
const code = '0x36602014601257600054600052602060' + '00f35b60003560005500'
const genesis = createDevGenesis('london')
const alloc = {
  ...genesis.alloc,
  '0000000000000000000000000000000000008888': { code, balance: '0x0', storage: { '0x0': '0x1' } },
  '0000000000000000000000000000000000000e0a': { balance: '0x1' },
}
const spec = createChainSpec(toGenesisFile({ ...genesis, alloc }))

const open: TestChain[] = []
const views = new Set<ChainView>()

function start(change?: (parts: ChainParts) => ChainParts): TestChain {
  const chain = openTestChain(spec, undefined, change)
  open.push(chain)
  return chain
}

afterEach(async () => {
  for (const view of views) view.close()
  views.clear()
  for (const chain of open.splice(0)) {
    await chain.close()
    removeFolder(chain.path)
  }
})

function headOf({ chain }: TestChain) {
  let view: ChainView | undefined
  chain.onHead(() => (view = undefined))
  const get = () => {
    view ??= chain.openView()
    views.add(view)
    return view
  }
  return createHeadEvm({ view: get, beneficiary: () => undefined })
}

/** Counts down from a number, 26 gas each, and returns 1. */
const counting = (from: number) =>
  `0x63${from.toString(16).padStart(8, '0')}5b600190038060055760016000526020` + '6000f3'

test.each([
  ['within the limit', 70_000, 'allowed'],
  ['beyond it', 80_000, 'unclear'],
])('a contract that spends gas %s, whatever a block may spend', (_, count, verdict) => {
  const own = { ...alloc, '0000000000000000000000000000000000008888': { code: counting(count), balance: '0x0' } }
  const node = openTestChain(createChainSpec(toGenesisFile({ ...genesis, alloc: own, gasLimit: '0x1fffffffffffff' })))
  open.push(node)
  const { rule } = txRule(node, contract)
  const [tx] = makeBlock(node.chain, [transfer(0n)]).transactions
  expect(rule.check(tx!, alice)).toBe(verdict)
})

const setAnswer = (nonce: bigint, word: bigint) => devTx(nonce, { to: contract, data: toWord(word) })
const transfer = (nonce: bigint) => devTx(nonce, { to: alice, value: 1n })

function txRule(node: TestChain, address: Address) {
  const logs = createRecordedLogs()
  return { rule: createContractTxRule(createAccountsContract(address, logs), headOf(node)), logs }
}

test('the accounts contract is asked on the state of the head', () => {
  const node = start()
  const { rule, logs } = txRule(node, contract)
  const check = () => rule.check(transfer(0n), zeroAddress)
  expect(check()).toBe('allowed')
  makeBlock(node.chain, [setAnswer(0n, 0n)])
  expect(check()).toBe('refused')
  makeBlock(node.chain, [setAnswer(1n, 2n)])
  expect([check(), check()]).toEqual(['unclear', 'unclear'])
  makeBlock(node.chain, [setAnswer(2n, 1n)])
  expect(check()).toBe('allowed')
  expect(logs.lines()).toEqual([expect.stringContaining('fails or returns no bool')])
})

test('all transactions are allowed while nothing is at the address', () => {
  const { rule, logs } = txRule(start(), missing)
  expect([rule.check(transfer(0n), zeroAddress), rule.check(transfer(1n), zeroAddress)]).toEqual(['allowed', 'allowed'])
  expect(logs.lines()).toEqual([
    'warn Account permissioning smart contract not found at address 0x000000000000000000000000000000000000dead ' +
      'in current head block. Any transaction will be allowed.',
  ])
})

test('a node does not start with an accounts contract that is none', () => {
  const node = start()
  expect(() => checkAccountsContract(txRule(node, withoutCode).rule)).toThrow(
    'Error validating onchain account permissioning smart contract configuration',
  )
  for (const address of [contract, missing])
    expect(() => checkAccountsContract(txRule(node, address).rule)).not.toThrow()
})

test('a block is imported if the state of its parent allows its transactions', () => {
  const maker = start()
  const ask = createAccountsContract(contract, createRecordedLogs())
  const taker = start((parts) => ({ ...parts, permits: (...about) => ask(...about) === 'allowed' }))
  // The first transaction forbids the second, but only from the next block on.
  const allowed = makeBlock(maker.chain, [setAnswer(0n, 0n), transfer(1n)])
  expect(taker.chain.importBlock(allowed)).toBe('extended')
  const empty = makeBlock(maker.chain)
  expect(taker.chain.importBlock(empty)).toBe('extended')
  const refused = makeBlock(maker.chain, [transfer(2n)])
  expect(() => taker.chain.importBlock(refused)).toThrow('NOT_PERMITTED')
  expect(() => runSteps(taker.chain.verify(refused))).toThrow('KNOWN_BAD_BLOCK')
  expect(taker.chain.head().header.number).toBe(2n)
  expect(taker.chain.badBlocks.all()).toHaveLength(1)
})

test('a block is built of what the state of its parent allows', () => {
  const ask = createAccountsContract(contract, createRecordedLogs())
  const node = start((parts) => ({ ...parts, permits: (...about) => ask(...about) === 'allowed' }))
  makeBlock(node.chain, [setAnswer(0n, 0n), transfer(1n)])
  expect(() => makeBlock(node.chain, [transfer(2n)])).toThrow('NOT_PERMITTED')
  makeBlock(node.chain)
  expect(node.chain.head().header.number).toBe(2n)
})

test('blocks of one batch are judged by the blocks before them', () => {
  const maker = start()
  const ask = createAccountsContract(contract, createRecordedLogs())
  const taker = start((parts) => ({ ...parts, permits: (...about) => ask(...about) === 'allowed' }))
  const blocks = [[transfer(0n)], [setAnswer(1n, 0n)], [transfer(2n)]].map((txs) => makeBlock(maker.chain, txs))
  expect(() => taker.chain.importBlocks(blocks)).toThrow('NOT_PERMITTED')
  expect(taker.chain.head().header.number).toBe(2n)
})

const local: Enode = { id: new Uint8Array(64).fill(1), ip: '127.0.0.1', tcpPort: 1, udpPort: 1 }
const remote: Enode = { ...local, id: new Uint8Array(64).fill(2) }

test.each([
  [1, maxU256, maxU256 >> 1n, 1n],
  [2, 1n, 0n, maxU256],
] as const)('version %i of the nodes contract: allowed, refused, unclear', (version, yes, no, neither) => {
  const node = start()
  const logs = createRecordedLogs()
  const ask = createNodesContract(contract, version, headOf(node))
  const rule = createContractNodeRule({ ask, onHead: node.chain.onHead, log: logs })
  let changes = 0
  rule.onChange(() => changes++)
  const answers = [yes, no, neither].map((word, nonce) => {
    makeBlock(node.chain, [setAnswer(BigInt(nonce), word)])
    return [ask(local, remote).verdict, rule.allows(local, remote)]
  })
  expect(answers).toEqual([
    ['allowed', true],
    ['refused', false],
    // What was decided last holds.
    ['unclear', false],
  ])
  expect(changes).toBe(3)
  expect(logs.lines()).toHaveLength(1)
})

test('a node does not start with a nodes contract of another version', () => {
  const atHead = headOf(start())
  const check = (address: Address, version: 1 | 2) =>
    checkNodesContract(createNodesContract(address, version, atHead), address, version)
  expect(() => check(contract, 2)).not.toThrow()
  for (const [address, version] of [
    [contract, 1],
    [missing, 1],
    [withoutCode, 2],
  ] as const)
    expect(() => check(address, version)).toThrow(`does not match the expected interface version ${version}.`)
})

test('version 2 asks about the source, then about the destination', () => {
  const atHead = headOf(start())
  const seen: (number | undefined)[] = []
  const spying: AtHead = (use) =>
    atHead((evm, block) => {
      const call: Evm['call'] = (message) => {
        // The first letter of the id.
        seen.push(message.data[4 + 4 * 32 + 1])
        return evm.call(message)
      }
      return use({ ...evm, call }, block)
    })
  expect(createNodesContract(contract, 2, spying)(local, remote).verdict).toBe('allowed')
  expect(seen).toEqual(['1', '2'].map((digit) => digit.charCodeAt(0)))
})

/** A rule on a contract that spends much gas for each answer; `next` is a new head. */
function costlyRule(gas: bigint) {
  const listeners: (() => void)[] = []
  const seen: number[] = []
  let verdict: Verdict = 'allowed'
  const rule = createContractNodeRule({
    ask(_, { tcpPort }) {
      seen.push(tcpPort)
      return { verdict, gas }
    },
    onHead(listener) {
      listeners.push(listener)
      return () => {}
    },
    log: createRecordedLogs(),
  })
  const peer = (tcpPort: number) => ({ ...remote, tcpPort })
  return {
    /** Asks about all of these, as after a block; returns who was allowed, and for whom the contract was run. */
    next(count: number, answer: Verdict) {
      verdict = answer
      for (const listener of listeners) listener()
      seen.length = 0
      const peers = Array.from({ length: count }, (_, i) => i)
      return { allowed: peers.filter((i) => rule.allows(local, peer(i))), asked: [...seen] }
    },
    again: (tcpPort: number) => rule.allows(local, peer(tcpPort)),
  }
}

test('a contract that spends much is asked little on one head, and about all connections in turn', () => {
  const { next } = costlyRule(1_000_000n)
  const all = Array.from({ length: 12 }, (_, i) => i)
  expect(next(12, 'allowed').asked).toEqual(all.slice(0, 10))
  expect(next(12, 'allowed')).toEqual({ allowed: all, asked: [10, 11] })
  expect(next(12, 'refused')).toEqual({ allowed: [10, 11], asked: all.slice(0, 10) })
  expect(next(12, 'refused')).toEqual({ allowed: [], asked: [10, 11] })
})

test('a contract that spends nearly all that it may is asked once on a head', () => {
  const { next } = costlyRule(1_900_000n)
  expect([1, 2, 3, 4].map(() => next(3, 'allowed').asked)).toEqual([[0], [1], [2], [0]])
})

test('a contract whose answers are unclear keeps the connections that it has allowed', () => {
  const { next, again } = costlyRule(100_000n)
  expect(next(2, 'allowed').allowed).toEqual([0, 1])
  expect(next(4, 'unclear')).toEqual({ allowed: [0, 1], asked: [0, 1, 2, 3] })
  expect([again(0), again(3)]).toEqual([true, false])
  expect(next(4, 'refused').allowed).toEqual([])
  expect(next(4, 'unclear').allowed).toEqual([])
})
