import { type Hex, keccak256, parseSignature, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { SealedHeader } from '../data/objects.ts'
import { listCalls } from './callTree.ts'
import { recoverSigner } from './cliqueSigner.ts'
import { disassemble } from './disassemble.ts'
import { readExtraData } from './extraData.ts'
import { countMissedTurns } from './missedTurns.ts'
import { spreadBlocks } from './spreadBlocks.ts'
import { stepsOfFrame } from './stepsOfFrame.ts'

const one: Hex = `0x${'01'.repeat(20)}`
const two: Hex = `0x${'02'.repeat(20)}`
const three: Hex = `0x${'03'.repeat(20)}`
const vanity: Hex = `0x${'00'.repeat(32)}`
const seal: Hex = `0x${'ff'.repeat(65)}`

test('extraData of each consensus', () => {
  const qbft = (round: Hex) => toRlp([vanity, [one, two], [], round, [seal]])
  expect(readExtraData(qbft('0x'))).toEqual({ kind: 'qbft', validators: [one, two], round: 0, seals: 1 })
  expect(readExtraData(qbft('0x0c'))).toMatchObject({ kind: 'qbft', round: 12 })
  expect(readExtraData(qbft('0x00000003'))).toMatchObject({ kind: 'ibft', round: 3 })
  const clique = `${vanity}${one.slice(2)}${two.slice(2)}${seal.slice(2)}` as Hex
  expect(readExtraData(clique)).toEqual({ kind: 'clique', signers: [one, two] })
  for (const other of ['0x', '0x71756f696e', '0xc0'] as const) expect(readExtraData(other)).toEqual({ kind: 'other' })
})

test('the signer of a block of Clique', async () => {
  const hashOf = (byte: string): Hex => `0x${byte.repeat(32)}`
  const account = privateKeyToAccount(hashOf('11'))
  const header: Omit<SealedHeader, 'extraData'> = {
    hash: hashOf('99'),
    parentHash: hashOf('01'),
    sha3Uncles: hashOf('02'),
    miner: one,
    stateRoot: hashOf('03'),
    transactionsRoot: hashOf('04'),
    receiptsRoot: hashOf('05'),
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: '0x2',
    number: '0x102',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: '0x64',
    mixHash: hashOf('00'),
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x7',
  }
  const fields: readonly Hex[] = [
    header.parentHash,
    header.sha3Uncles,
    header.miner,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.logsBloom,
    '0x02',
    '0x0102',
    '0x01c9c380',
    '0x',
    '0x64',
    vanity,
    header.mixHash,
    header.nonce,
    '0x07',
  ]
  const { r, s, yParity } = parseSignature(await account.sign({ hash: keccak256(toRlp(fields)) }))
  const extraData: Hex = `${vanity}${r.slice(2)}${s.slice(2)}0${yParity}`
  expect(await recoverSigner({ ...header, extraData })).toBe(account.address.toLowerCase())
})

test('a block of a later round was the turn of validators before its proposer', () => {
  const missed = countMissedTurns(
    [three, one, two],
    [
      { proposer: one, round: 0 },
      { proposer: one, round: 2 },
      { proposer: three, round: 1 },
      // A round beyond the number of validators: each of the others had its turn.
      { proposer: two, round: 9 },
      { proposer: `0x${'09'.repeat(20)}`, round: 1 },
    ],
  )
  expect(Object.fromEntries(missed)).toEqual({ [one]: 1, [two]: 2, [three]: 2 })
})

test('calls are listed in order with their own gas', () => {
  const frame = (gasUsed: Hex, calls: object[] = []) => ({
    type: 'CALL',
    from: one,
    to: two,
    gas: '0xff',
    gasUsed,
    input: '0x',
    calls,
  })
  const tree = frame('0x64', [frame('0x1e', [frame('0x0a')]), frame('0x14')])
  const rows = listCalls(tree as never)
  expect(rows.map(({ path, gasUsed, ownGas }) => [path.join('.'), gasUsed, ownGas])).toEqual([
    ['', 100, 50],
    ['0', 30, 20],
    ['0.0', 10, 10],
    ['1', 20, 20],
  ])
})

test('steps belong to the frame that ran them, also after calls without code', () => {
  const ops = ['1 A', '1 CALL', '1 CALL', '2 B', '2 STATICCALL', '3 C', '2 D', '1 CREATE', '2 E', '1 F']
  const steps = ops.map((text, pc) => ({ pc, op: text.slice(2), depth: Number(text[0]), gas: 0, gasCost: 0 }))
  const names = (path: number[]) => stepsOfFrame(steps, path).map(({ op }) => op)
  expect(names([])).toEqual(['A', 'CALL', 'CALL', 'CREATE', 'F'])
  expect(names([0])).toEqual([])
  expect(names([1])).toEqual(['B', 'STATICCALL', 'D'])
  expect(names([1, 0])).toEqual(['C'])
  expect(names([2])).toEqual(['E'])
})

test('code is disassembled, also where a PUSH is cut off', () => {
  expect(disassemble('0x60015b0c61ff')).toEqual([
    { pc: 0, name: 'PUSH1', operand: '0x01' },
    { pc: 2, name: 'JUMPDEST' },
    { pc: 3, name: 'INVALID (0x0c)' },
    { pc: 4, name: 'PUSH2', operand: '0xff' },
  ])
  expect(disassemble('0x')).toEqual([])
})

test('blocks are spread from genesis to the head', () => {
  expect(spreadBlocks(2, 5)).toEqual([0, 1, 2])
  expect(spreadBlocks(100, 5)).toEqual([0, 25, 50, 75, 100])
})
