import { expect, test } from 'vitest'
import { rulesOf } from '../../src/forks/rules.ts'
import type { ForkName } from '../../src/forks/table.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import type { LegacyTx } from '../../src/types/transaction.ts'
import type { OracleBlock } from './machine.ts'
import { runOracle } from './runOracle.ts'
import type { AccountState } from './state.ts'
import { addressBytes } from './words.ts'

const sender = 0x5en
const contract = 0xc0den
const block: OracleBlock = {
  number: 300n,
  timestamp: 1000n,
  beneficiary: 0xfeen,
  gasLimit: 30_000_000n,
  difficulty: 1n,
  prevRandao: 2n,
  baseFee: 0n,
  blobBaseFee: 1n,
  chainId: 1n,
  blockHash: (number) => number,
}

function account(fields: Partial<AccountState>): AccountState {
  return { nonce: 0n, balance: 0n, code: new Uint8Array(0), storage: new Map(), ...fields }
}

function run(fork: ForkName, code: string, fields: Partial<LegacyTx> = {}, storage: [bigint, bigint][] = []) {
  const pre = new Map([
    [sender, account({ balance: 10n ** 18n })],
    [contract, account({ nonce: 1n, code: fromHex(code), storage: new Map(storage) })],
  ])
  const to = addressBytes(contract)
  const plain = { nonce: 0n, gasLimit: 200_000n, gasPrice: 1n, to, value: 0n, data: new Uint8Array(0) }
  const tx: LegacyTx = { type: 0, ...plain, v: 27n, r: 1n, s: 1n, ...fields }
  return runOracle({ pre, block, tx, sender, rules: rulesOf(fork) })
}

/** Returns the word on top of the stack. */
const returnTop = '60005260206000f3'

test('returns what arithmetic gives and pays for every opcode', () => {
  const { status, gasUsed, output } = run('frontier', '6003600401' + returnTop)
  expect(status).toBe('success')
  expect(toHex(output)).toBe('0x' + '7'.padStart(64, '0'))
  // Two PUSH1, ADD, PUSH1, MSTORE with one word of memory, two PUSH1, RETURN.
  expect(gasUsed).toBe(21_000n + 3n + 3n + 3n + 3n + 3n + 3n + 3n + 3n)
})

test.each<[ForkName, bigint, bigint]>([
  ['frontier', 15_000n, 2n],
  ['constantinople', 15_000n, 2n],
  ['istanbul', 15_000n, 2n],
  ['berlin', 15_000n, 2n],
  ['london', 4_800n, 5n],
])('in %s clearing a slot costs 5000 and gives back %s, at most 1/%s of all', (fork, refund, quotient) => {
  const { gasUsed, post } = run(fork, '6000600055', {}, [[0n, 9n]])
  const spent = 21_000n + 6n + 5_000n
  const max = spent / quotient
  expect(gasUsed).toBe(spent - (refund < max ? refund : max))
  expect(post.get(contract)!.storage.size).toBe(0)
})

test('a halt costs all gas and undoes everything but the fee', () => {
  const { status, gasUsed, post } = run('cancun', '6001600055fe', { value: 5n })
  expect(status).toBe('halt')
  expect(gasUsed).toBe(200_000n)
  expect(post.get(contract)).toMatchObject({ balance: 0n, storage: new Map() })
  expect(post.get(sender)).toMatchObject({ nonce: 1n, balance: 10n ** 18n - 200_000n })
  expect(post.get(block.beneficiary)!.balance).toBe(200_000n)
})

test('a revert keeps the gas that is left and tells why', () => {
  const { status, gasUsed, output } = run('byzantium', '602a60005260206000fd')
  expect(status).toBe('revert')
  expect(toHex(output)).toBe('0x' + '2a'.padStart(64, '0'))
  expect(gasUsed).toBe(21_000n + 18n)
})

test('frames go 1024 below the first and no deeper', () => {
  // Calls itself with all gas but 1000 and returns one more than the callee did.
  const callSelf = '60206000600060006000306103e85a03f1'
  const { output } = run('frontier', callSelf + '5060005160010160005260206000f3', { gasLimit: 5_000_000n })
  expect(BigInt(toHex(output))).toBe(1025n)
})

test('an invalid transaction changes nothing', () => {
  const { status, reason, post } = run('osaka', '00', { gasLimit: 16_777_217n })
  expect(status).toBe('invalid')
  expect(reason).toBe('more gas than a transaction may have')
  expect(post.get(sender)!.nonce).toBe(0n)
})

test('since Cancun an old contract outlives its selfdestruct', () => {
  const code = '60ffff'
  expect(run('shanghai', code).post.has(contract)).toBe(false)
  expect(run('cancun', code).post.has(contract)).toBe(true)
})
