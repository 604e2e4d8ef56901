import { expect, test } from 'vitest'
import { evmSuite, rich } from '../../test/support/evmSuite.ts'
import {
  addressOf,
  assemble,
  contract,
  deploys,
  returnTop,
  send,
  sender,
  slotOf,
  startWorld,
} from '../../test/support/evmWorld.ts'
import { rulesOf } from '../forks/rules.ts'
import type { ForkName } from '../forks/table.ts'
import { type Address, emptyBytes, toAddress } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp, scalar } from '../primitives/rlp.ts'
import { bytesToBigInt } from '../primitives/u256.ts'

const other = addressOf(0xbeefn)

evmSuite('creations', (world, kind) => {
  const runtime = assemble('1 2 ADD STOP')
  const derived = (from: Address, nonce: bigint) => toAddress(keccak256(encodeRlp([from, scalar(nonce)])).slice(12))

  test.each([0n, 1n, 0x7fn, 0x80n, 0x100n, (1n << 64n) - 2n])('the address derives from the nonce (%d)', (nonce) => {
    const evm = world([])
    const outcome = evm.create({ from: sender, value: 0n, initCode: deploys(runtime), gas: 100_000n, nonce })
    expect(outcome.created).toEqual(derived(sender, nonce))
    expect(evm.code(outcome.created!)).toEqual(runtime)
    expect(evm.codeHash(outcome.created!)).toEqual(keccak256(runtime))
    expect(evm.nonce(outcome.created!)).toBe(1n)
    expect(evm.nonce(sender)).toBe(5n)
  })

  test('CREATE2 derives the address from salt and init code', () => {
    const evm = world([])
    const outcome = evm.create({
      from: sender,
      value: 3n,
      initCode: deploys(runtime),
      gas: 100_000n,
      salt: slotOf(9n),
    })
    const preimage = Uint8Array.from([0xff, ...sender, ...slotOf(9n), ...keccak256(deploys(runtime))])
    expect(outcome.created).toEqual(toAddress(keccak256(preimage).slice(12)))
    expect(evm.balance(outcome.created!)).toBe(3n)
  })

  test('the opcodes raise the nonce and give the address, or zero when init code reverts', () => {
    const init = deploys(runtime)
    const store = `${bytesToBigInt(init)} ${8n * BigInt(32 - init.length)} SHL 0 MSTORE`
    const evm = world([
      [contract, { nonce: 1n, code: assemble(`${store} ${init.length} 0 0 CREATE ${returnTop}`) }],
      [other, { nonce: 1n, code: assemble(`0x60006000fd 0 MSTORE 5 27 0 CREATE ${returnTop}`) }],
    ])
    expect(toAddress(send(evm).output.slice(12))).toEqual(derived(contract, 1n))
    expect(evm.nonce(contract)).toBe(2n)
    expect(bytesToBigInt(send(evm, { to: other }).output)).toBe(0n)
    expect(evm.nonce(other)).toBe(2n)
  })

  test.each([
    ['nonce', { nonce: 1n }],
    ['code', { code: assemble('STOP') }],
    ['storage', { storage: { 1: 1n } }],
  ])('nothing is created onto an account with %s, and all gas is gone', (_, account) => {
    const evm = world([[derived(sender, 5n), { balance: 1n, ...account }]])
    const outcome = evm.create({ from: sender, value: 0n, initCode: deploys(runtime), gas: 100_000n })
    expect(outcome).toMatchObject({ status: 'halt', halt: 'createCollision', gasLeft: 0n })
    expect(outcome.created).toBeUndefined()
  })

  test('a second creation at an address whose first one was reverted works', () => {
    const evm = world([])
    const init = Uint8Array.from([...assemble('1 1 SSTORE'), ...deploys(runtime)])
    const before = evm.snapshot()
    const create = () => evm.create({ from: sender, value: 0n, initCode: init, gas: 100_000n, salt: slotOf(0n) })
    expect(create().status).toBe('success')
    expect(create().halt).toBe('createCollision')
    evm.revertTo(before)
    expect(create().status).toBe('success')
  })

  test('code is limited in size, may not start with 0xEF, and must be paid for', () => {
    const create = (code: Uint8Array, gas: bigint, fork: ForkName) =>
      world([], fork).create({ from: sender, value: 0n, initCode: deploys(code), gas })
    const ef = Uint8Array.of(0xef)
    expect(create(ef, 100_000n, 'london').halt).toBe('invalidCode')
    expect(create(ef, 100_000n, 'berlin').status).toBe('success')
    expect(create(new Uint8Array(24_577), 10_000_000n, 'london').halt).toBe('codeTooLarge')
    expect(create(new Uint8Array(24_576), 10_000_000n, 'london').status).toBe('success')
    expect(create(new Uint8Array(24_577), 10_000_000n, 'homestead').status).toBe('success')
    expect(create(runtime, 500n, 'homestead')).toMatchObject({ halt: 'codeDepositOutOfGas', gasLeft: 0n })
  })

  test('on Frontier a creation that cannot pay for its code stays without it', () => {
    const evm = world([], 'frontier')
    const outcome = evm.create({ from: sender, value: 1n, initCode: deploys(runtime), gas: 500n })
    expect(outcome.status).toBe('success')
    expect(outcome.gasLeft).toBeGreaterThan(0n)
    expect(evm.code(outcome.created!)).toEqual(emptyBytes)
    expect(evm.balance(outcome.created!)).toBe(1n)
  })

  test('limits of code and stack come from the rules', () => {
    const rules = { ...rulesOf('shanghai'), maxCodeSize: 10, stackSize: 3 }
    const evm = startWorld(
      [
        [sender, rich],
        [contract, { code: assemble('1 2 3 STOP') }],
        [other, { code: assemble('1 2 3 4') }],
      ],
      { kind, rules },
    )
    const create = (size: number) =>
      evm.create({ from: sender, value: 0n, initCode: deploys(new Uint8Array(size)), gas: 100_000n }).halt
    expect(create(11)).toBe('codeTooLarge')
    expect(create(10)).toBe('return')
    expect(send(evm).status).toBe('success')
    expect(send(evm, { to: other }).halt).toBe('stackOverflow')
  })

  test('init code is limited since Shanghai', () => {
    const code = (size: number) => assemble(`${size} 0 0 CREATE ${returnTop}`)
    const run = (size: number, fork: ForkName) => send(world([[contract, { code: code(size) }]], fork)).halt
    expect(run(49_153, 'shanghai')).toBe('initCodeTooLarge')
    expect(run(49_152, 'shanghai')).toBe('return')
    expect(run(49_153, 'paris')).toBe('return')
  })

  test('a creator whose nonce is used up creates nothing', () => {
    const code = assemble(`0 0 0 CREATE ${returnTop}`)
    const evm = world([[contract, { code, nonce: (1n << 64n) - 1n }]])
    expect(bytesToBigInt(send(evm).output)).toBe(0n)
    expect(evm.nonce(contract)).toBe((1n << 64n) - 1n)
  })
})
