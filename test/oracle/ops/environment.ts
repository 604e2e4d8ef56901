import { keccak256 } from '../../../src/primitives/keccak.ts'
import { bytesToBigInt } from '../../../src/primitives/u256.ts'
import { chargeAccount } from '../access.ts'
import type { Frame } from '../frame.ts'
import { Halt } from '../halt.ts'
import type { Machine } from '../machine.ts'
import { type GasByFork, type Opcode, opcode } from '../opcode.ts'
import { addressIn, sliceOf, wordsIn } from '../words.ts'

/** Pays for, then makes, a copy into memory. */
function copy(frame: Frame, source: Uint8Array, to: bigint, from: bigint, size: bigint): void {
  frame.expand(to, size)
  frame.charge(3n * wordsIn(size))
  frame.write(to, sliceOf(source, from, size))
}

const copier = (source: (frame: Frame) => Uint8Array): Opcode['run'] => {
  return (frame) => copy(frame, source(frame), frame.pop(), frame.pop(), frame.pop())
}

/** A question about the account whose address is on the stack. */
const ask = (answer: (machine: Machine, address: bigint) => bigint): Opcode['run'] => {
  return (frame, machine) => {
    const address = addressIn(frame.pop())
    chargeAccount(frame, machine, address)
    frame.push(answer(machine, address))
  }
}

const get = (answer: (frame: Frame, machine: Machine) => bigint | number): Opcode['run'] => {
  return (frame, machine) => frame.push(BigInt(answer(frame, machine)))
}

// Since Berlin these are charged by the account's being warm or cold.
const balanceGas: GasByFork = { frontier: 20n, tangerineWhistle: 400n, istanbul: 700n, berlin: 0n }
const codeGas: GasByFork = { frontier: 20n, tangerineWhistle: 700n, berlin: 0n }
const codeHashGas: GasByFork = { constantinople: 400n, istanbul: 700n, berlin: 0n }

const balanceOf = ask(({ world }, address) => world.balance(address))
const codeSizeOf = ask(({ world }, address) => BigInt(world.code(address).length))
const codeHashOf = ask(({ world }, address) =>
  world.isEmpty(address) ? 0n : bytesToBigInt(keccak256(world.code(address))),
)

export const environment: readonly Opcode[] = [
  opcode(
    0x30,
    'ADDRESS',
    0,
    1,
    2n,
    get(({ address }) => address),
  ),
  opcode(0x31, 'BALANCE', 1, 1, balanceGas, balanceOf),
  opcode(
    0x32,
    'ORIGIN',
    0,
    1,
    2n,
    get((_, { origin }) => origin),
  ),
  opcode(
    0x33,
    'CALLER',
    0,
    1,
    2n,
    get(({ caller }) => caller),
  ),
  opcode(
    0x34,
    'CALLVALUE',
    0,
    1,
    2n,
    get(({ value }) => value),
  ),
  opcode(0x35, 'CALLDATALOAD', 1, 1, 3n, (frame) => frame.push(bytesToBigInt(sliceOf(frame.input, frame.pop(), 32n)))),
  opcode(
    0x36,
    'CALLDATASIZE',
    0,
    1,
    2n,
    get(({ input }) => input.length),
  ),
  opcode(
    0x37,
    'CALLDATACOPY',
    3,
    0,
    3n,
    copier(({ input }) => input),
  ),
  opcode(
    0x38,
    'CODESIZE',
    0,
    1,
    2n,
    get(({ code }) => code.length),
  ),
  opcode(
    0x39,
    'CODECOPY',
    3,
    0,
    3n,
    copier(({ code }) => code),
  ),
  opcode(
    0x3a,
    'GASPRICE',
    0,
    1,
    2n,
    get((_, { gasPrice }) => gasPrice),
  ),
  opcode(0x3b, 'EXTCODESIZE', 1, 1, codeGas, codeSizeOf),
  opcode(0x3c, 'EXTCODECOPY', 4, 0, codeGas, (frame, machine) => {
    const address = addressIn(frame.pop())
    chargeAccount(frame, machine, address)
    copy(frame, machine.world.code(address), frame.pop(), frame.pop(), frame.pop())
  }),
  opcode(
    0x3d,
    'RETURNDATASIZE',
    0,
    1,
    2n,
    get(({ returnData }) => returnData.length),
    'byzantium',
  ),
  opcode(
    0x3e,
    'RETURNDATACOPY',
    3,
    0,
    3n,
    (frame) => {
      const [to, from, size] = [frame.pop(), frame.pop(), frame.pop()]
      if (from + size > BigInt(frame.returnData.length)) throw new Halt('return data out of bounds')
      copy(frame, frame.returnData, to, from, size)
    },
    'byzantium',
  ),
  opcode(0x3f, 'EXTCODEHASH', 1, 1, codeHashGas, codeHashOf, 'constantinople'),
]
