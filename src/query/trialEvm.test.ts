import { beforeEach, expect, test } from 'vitest'
import { addressOf } from '../../test/support/evmWorld.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import { createEvm } from '../evm/createEvm.ts'
import type { Evm } from '../evm/evm.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import type { StateView } from '../state/view.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { blankHeader, headerHash } from '../types/header.ts'
import { type BlockState, createTrialEvm, hostOf } from './trialEvm.ts'

const someone = addressOf(7n)
const chain = {} as ChainView
const evm = createTrialEvm(createEvm('fast'))
let reads = 0

function stateOf(balance: bigint): StateView {
  const account = () => {
    reads++
    return { nonce: 0n, balance, codeHash: emptyCodeHash, storageRoot: emptyTrieRoot }
  }
  return { account } as Partial<StateView> as StateView
}

function placeAt(number: bigint): BlockState {
  const header = { ...blankHeader, number }
  const at: HashedHeader = { header, hash: headerHash(header) }
  return { chain, at, state: stateOf(number) }
}

const head = placeAt(5n)
const look = (used: Evm) => used.balance(someone)

beforeEach(() => {
  evm.apart(hostOf(head), () => {})
  reads = 0
})

test('what was read at a block is not read again there', () => {
  expect([evm.at(head, look), evm.at(head, look), reads]).toEqual([5n, 5n, 1])
  const sameBlock = { ...head, at: { ...head.at } }
  expect([evm.at(sameBlock, look), reads]).toEqual([5n, 2])
})

test('each block has its own state', () => {
  const before = placeAt(4n)
  expect([evm.at(head, look), evm.at(before, look), evm.at(head, look), reads]).toEqual([5n, 4n, 5n, 3])
})

test('another view of the chain is read again', () => {
  const later = { ...head, chain: {} as ChainView }
  expect([evm.at(head, look), evm.at(later, look), reads]).toEqual([5n, 5n, 2])
})

test('changes end with a use that fails', () => {
  evm.at(head, look)
  const fail = () =>
    evm.at(head, (used) => {
      used.addBalance(someone, 1n)
      throw new Error('stopped')
    })
  expect(fail).toThrow('stopped')
  expect(evm.at(head, look)).toBe(5n)
})

test('changes end with a use apart', () => {
  evm.at(head, look)
  const changed = evm.apart(hostOf(head), (used) => {
    used.addBalance(someone, 1n)
    return look(used)
  })
  expect([changed, evm.at(head, look)]).toEqual([6n, 5n])
})

test('after many uses the state is read again, so that memory does not grow forever', () => {
  for (let i = 0; i < 500; i++) evm.at(head, look)
  expect(reads).toBe(1)
  evm.at(head, look)
  expect(reads).toBe(2)
})
