import { since } from '../../../src/forks/rules.ts'
import { concatBytes, emptyBytes } from '../../../src/primitives/bytes.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../../src/primitives/rlp.ts'
import { bytesToBigInt, maxU64 } from '../../../src/primitives/u256.ts'
import { canEnter } from '../enterCall.ts'
import { enterCreate } from '../enterCreate.ts'
import type { Frame } from '../frame.ts'
import { Halt } from '../halt.ts'
import type { Machine } from '../machine.ts'
import { type Opcode, opcode } from '../opcode.ts'
import { addressBytes, addressIn, wordBytes, wordsIn } from '../words.ts'

/** Where CREATE, or a transaction that creates, puts the contract. */
export function createAddress(creator: bigint, nonce: bigint): bigint {
  return addressIn(bytesToBigInt(keccak256(encodeRlp([addressBytes(creator), scalar(nonce)]))))
}

/** Where CREATE2 puts the contract (EIP-1014). */
export function create2Address(creator: bigint, salt: bigint, initCode: Uint8Array): bigint {
  const parts = [Uint8Array.of(0xff), addressBytes(creator), wordBytes(salt), keccak256(initCode)]
  return addressIn(bytesToBigInt(keccak256(concatBytes(...parts))))
}

const create = (salted: boolean): Opcode['run'] => {
  return (frame, machine) => {
    if (frame.isStatic) throw new Halt('static violation')
    const [value, offset, size] = [frame.pop(), frame.pop(), frame.pop()]
    const salt = salted ? frame.pop() : undefined
    frame.expand(offset, size)
    chargeInitCode(frame, machine, size)
    if (salted) frame.charge(6n * wordsIn(size))
    const initCode = frame.read(offset, size)

    const { world, rules } = machine
    const creator = frame.address
    const nonce = world.nonce(creator)
    const depth = frame.depth + 1
    frame.returnData = emptyBytes
    if (nonce === maxU64 || !canEnter(machine, depth, creator, value)) {
      frame.push(0n)
      return
    }

    const gas = since(rules, 'tangerineWhistle') ? frame.gas - frame.gas / 64n : frame.gas
    frame.charge(gas)
    world.setNonce(creator, nonce + 1n)
    const address = salt === undefined ? createAddress(creator, nonce) : create2Address(creator, salt, initCode)
    enterCreate(machine, { depth, creator, address, value, initCode, gas }, ({ status, gasLeft, output }) => {
      frame.gas += gasLeft
      // Only what a revert says comes back; a contract's code does not.
      frame.returnData = status === 'revert' ? output : emptyBytes
      frame.push(status === 'success' ? address : 0n)
    })
  }
}

/** Since Shanghai init code is paid for by the word and limited in size (EIP-3860). */
function chargeInitCode(frame: Frame, { rules }: Machine, size: bigint): void {
  if (!since(rules, 'shanghai')) return
  if (size > 2n * BigInt(rules.maxCodeSize)) throw new Halt('init code too large')
  frame.charge(2n * wordsIn(size))
}

export const creates: readonly Opcode[] = [
  opcode(0xf0, 'CREATE', 3, 1, 32_000n, create(false)),
  opcode(0xf5, 'CREATE2', 4, 1, 32_000n, create(true), 'constantinople'),
]
