import { expect, test } from 'vitest'
import { evmSuite } from '../../test/support/evmSuite.ts'
import {
  addressOf,
  assemble,
  calls,
  contract,
  returnTop,
  send,
  sender,
  slotOf,
  startWorld,
  type TestAccount,
} from '../../test/support/evmWorld.ts'
import { type Address, emptyBytes, toAddress } from '../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../primitives/u256.ts'

const other = addressOf(0xbeefn)
const nobody = addressOf(0xdeadn)

evmSuite('calls', (world, kind) => {
  test('value moves from the sender to the account called', () => {
    const evm = world([])
    const outcome = send(evm, { to: nobody, value: 7n })
    expect(outcome).toEqual({ status: 'success', halt: 'stop', gasLeft: 1_000_000n, output: emptyBytes })
    expect(evm.balance(sender)).toBe(999_993n)
    expect(evm.balance(nobody)).toBe(7n)
  })

  test('a sender without enough balance fails and keeps the gas', () => {
    const evm = world([])
    const outcome = send(evm, { to: nobody, value: 1_000_001n })
    expect(outcome).toMatchObject({ status: 'halt', halt: 'insufficientBalance', gasLeft: 1_000_000n })
    expect(evm.exists(nobody)).toBe(false)
  })

  test('a revert undoes storage, value and logs, and hands back gas and data', () => {
    const code = assemble('1 1 SSTORE 0 0 LOG0 42 0 MSTORE 32 0 REVERT')
    const evm = world([[contract, { code }]])
    const outcome = send(evm, { value: 5n })
    expect(outcome).toMatchObject({ status: 'revert', halt: 'revert', output: toWord(42n) })
    expect(outcome.gasLeft).toBeGreaterThan(900_000n)
    expect(evm.storage(contract, slotOf(1n))).toEqual(toWord(0n))
    expect(evm.balance(contract)).toBe(0n)
    expect(evm.logs()).toEqual([])
    evm.endTx()
    expect(evm.changes()).toEqual({ accounts: [], codes: [] })
  })

  test.each([
    ['CALL', { self: other, caller: contract, value: 3n }],
    ['CALLCODE', { self: contract, caller: contract, value: 3n }],
    ['DELEGATECALL', { self: contract, caller: sender, value: 9n }],
    ['STATICCALL', { self: other, caller: contract, value: 0n }],
  ])('%s shows the callee the right surroundings', (op, { self, caller, value }) => {
    const shows = assemble('ADDRESS 0 MSTORE CALLER 32 MSTORE CALLVALUE 64 MSTORE 96 0 RETURN')
    const code = assemble(`${calls(op, other, { value: '3', out: '96 0' })} POP 96 0 RETURN`)
    const evm = world([
      [contract, { code }],
      [other, { code: shows }],
    ])
    const { output } = send(evm, { value: 9n })
    expect(toAddress(output.slice(12, 32))).toEqual(self)
    expect(toAddress(output.slice(44, 64))).toEqual(caller)
    expect(bytesToBigInt(output.slice(64))).toBe(value)
  })

  test.each([
    '1 1 SSTORE',
    '0 0 LOG0',
    '0 0 0 CREATE',
    '0 SELFDESTRUCT',
    '1 1 TSTORE',
    calls('CALL', nobody, { value: '1' }),
  ])('a static call may not do %s', (forbidden) => {
    const evm = world([
      [contract, { code: assemble(`${calls('STATICCALL', other)} ${returnTop}`) }],
      [other, { code: assemble(forbidden), balance: 5n }],
    ])
    expect(bytesToBigInt(send(evm).output)).toBe(0n)
    expect(send(evm, { to: other, isStatic: true }).status).toBe('halt')
    expect(send(evm, { to: other }).status).toBe('success')
  })

  test('a callee gets all but a 64th of the gas, and the caller what is left of it', () => {
    const evm = world([
      [contract, { code: assemble(`${calls('CALL', other, { gas: String(2n ** 256n - 1n) })} POP 32 0 RETURN`) }],
      [other, { code: assemble(`GAS ${returnTop}`) }],
    ])
    const { output, gasLeft } = send(evm, { gas: 100_000n })
    // Six pushes of 3, memory for one word, a cold account.
    const before = 100_000n - 7n * 3n - 3n - 2600n
    const given = before - before / 64n
    expect(bytesToBigInt(output)).toBe(given - 2n)
    expect(gasLeft).toBe(before - 2n - 3n - 3n - 3n - 3n - 3n - 2n - 3n - 3n)
  })

  test('before Tangerine Whistle a call asks for gas that must be there', () => {
    const code = assemble(`${calls('CALL', other, { gas: '90000' })} ${returnTop}`)
    const accounts: [Address, TestAccount][] = [
      [contract, { code }],
      [other, { code: assemble('STOP') }],
    ]
    expect(send(world(accounts, 'homestead'), { gas: 90_000n }).halt).toBe('outOfGas')
    expect(send(world(accounts, 'tangerineWhistle'), { gas: 90_000n }).status).toBe('success')
  })

  test('a call with value brings a stipend of 2300', () => {
    const evm = world([
      [contract, { code: assemble(`${calls('CALL', other, { gas: '0', value: '1' })} POP 32 0 RETURN`), balance: 9n }],
      [other, { code: assemble(`GAS ${returnTop}`) }],
    ])
    expect(bytesToBigInt(send(evm).output)).toBe(2298n)
  })

  test('return data are those of the last call, and reading behind them halts', () => {
    const copies = (n: number) =>
      assemble(`${calls('CALL', other)} POP ${n} 0 0 RETURNDATACOPY RETURNDATASIZE ${returnTop}`)
    const callee: [Address, TestAccount] = [other, { code: assemble('40 0 REVERT') }]
    expect(bytesToBigInt(send(world([[contract, { code: copies(40) }], callee])).output)).toBe(40n)
    expect(send(world([[contract, { code: copies(41) }], callee])).halt).toBe('returnDataBounds')
  })

  test('1024 frames fit into each other, and one more fails without harm', () => {
    // Counts the depth in slot 0 and calls itself with all gas; the outermost return tells the count.
    const code = assemble(`0 SLOAD 1 ADD 0 SSTORE ${calls('CALL', contract, { gas: 'GAS' })} POP 0 SLOAD ${returnTop}`)
    const evm = world([[contract, { code }]])
    const { output } = send(evm, { gas: 1n << 62n })
    expect(bytesToBigInt(output)).toBe(1025n)
  })

  test('memory beyond any gas runs out of gas, whatever the offset', () => {
    for (const offset of ['0xffffffff', '0x3fffffff', `${1n << 64n}`, `${(1n << 256n) - 1n}`]) {
      for (const code of [
        `${offset} MLOAD`,
        `1 ${offset} MSTORE`,
        `1 ${offset} KECCAK256`,
        `${offset} 0 KECCAK256`,
        `1 0 ${offset} CODECOPY`,
      ]) {
        expect(send(world([[contract, { code: assemble(code) }]])).halt).toBe('outOfGas')
      }
    }
  })

  test('precompiles run, are warm, and consume all gas when they cannot be paid', () => {
    const sha256 = addressOf(2n)
    const code = assemble(`GAS ${calls('CALL', sha256)} GAS SWAP1 POP SWAP1 SUB ${returnTop}`)
    const evm = world([[contract, { code }]])
    // Seven pushes, warm access, memory, 60 for no input; GAS itself.
    expect(bytesToBigInt(send(evm).output)).toBe(2n + 21n + 3n + 100n + 60n)
    const { output } = send(evm, { to: sha256, data: Uint8Array.from(Buffer.from('abc')) })
    expect(Buffer.from(output).toString('hex')).toMatch(/^ba7816bf8f01cfea/)
    expect(send(evm, { to: sha256, gas: 59n })).toMatchObject({ halt: 'outOfGas', gasLeft: 0n })
  })

  test("an account may run another one's code by delegation, once, since Prague", () => {
    const delegation = (to: Address) => Uint8Array.from([0xef, 0x01, 0x00, ...to])
    const accounts: [Address, TestAccount][] = [
      [contract, { code: delegation(other) }],
      [other, { code: assemble(`ADDRESS ${returnTop}`) }],
      [nobody, { code: delegation(contract) }],
    ]
    expect(toAddress(send(world(accounts)).output.slice(12))).toEqual(contract)
    expect(send(world(accounts, 'cancun')).halt).toBe('invalidOpcode')
    expect(send(world(accounts), { to: nobody }).halt).toBe('invalidOpcode')
    const size = [contract, { code: assemble(`${bytesToBigInt(nobody)} EXTCODESIZE ${returnTop}`) }] as const
    expect(bytesToBigInt(send(startWorld([size, accounts[2]!], { kind })).output)).toBe(23n)
  })

  test('code of one account can run for another without moving value', () => {
    const evm = world([[other, { code: assemble(`1 1 SSTORE CALLVALUE ${returnTop}`) }]])
    const outcome = send(evm, { codeAddress: other, value: 50n, transfersValue: false })
    expect(bytesToBigInt(outcome.output)).toBe(50n)
    expect(evm.balance(contract)).toBe(0n)
    expect(evm.storage(contract, slotOf(1n))).toEqual(toWord(1n))
  })
})
