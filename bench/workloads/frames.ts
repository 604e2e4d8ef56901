import { concatBytes } from '../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { assemble } from './assemble.ts'
import { contracts } from './contracts.ts'
import { addressOf, onContract, type Workload, word } from './workload.ts'

/** A contract that calls itself, without value, to the end of the loop. */
const selfCalls = onContract(
  'self calls',
  toHex(
    assemble(`CALLDATASIZE @inner JUMPI 20000
      loop: DUP1 0 MSTORE 32 0 32 0 0 ADDRESS GAS CALL POP 1 SWAP1 SUB DUP1 @loop JUMPI 32 0 RETURN
      inner: 0 CALLDATALOAD 1 ADD 0 MSTORE 32 0 RETURN`),
  ),
)

/** Contracts that each count in storage and call the next one twice with one wei: 2^levels - 1 frames. */
function callTree(levels: number): Workload {
  const first = 0xc0de00
  const callChild = `0 0 32 0 1 DUP6 ${first} ADD GAS CALL ISZERO @failed JUMPI`
  const code = toHex(
    assemble(`0 SLOAD 1 ADD 0 SSTORE 0 CALLDATALOAD DUP1 ISZERO @leaf JUMPI
      1 SWAP1 SUB DUP1 0 MSTORE ${callChild} ${callChild}
      leaf: STOP
      failed: 0 0 REVERT`),
  )
  const account = { code, balance: `0x${word(10n ** 18n)}` }
  const accounts = Object.fromEntries(Array.from({ length: levels }, (_, i) => [addressOf(first + i), account]))
  return { name: 'call tree', accounts, calls: [{ to: addressOf(first + levels - 1), data: `0x${word(levels - 1)}` }] }
}

/** One contract makes many of 1 KiB, each with other code. */
function creations(count: number): Workload {
  const init = toHex(assemble('ADDRESS 0 MSTORE 1024 0 RETURN'))
  const size = (init.length - 2) / 2
  return onContract(
    'create 1 KiB',
    toHex(
      assemble(`${init} ${(32 - size) * 8} SHL 0 MSTORE ${count}
        loop: ${size} 0 0 CREATE ISZERO @failed JUMPI 1 SWAP1 SUB DUP1 @loop JUMPI STOP
        failed: 0 0 REVERT`),
    ),
  )
}

/** Transactions that deploy contracts of the largest size that is allowed. */
function deployments(count: number): Workload {
  const size = 24_576
  const copy = (at: number) => assemble(`${size} ${at} 0 CODECOPY ${size} 0 RETURN`)
  const header = copy(copy(0xff).length)
  const all = concatBytes(...Object.values(contracts).map(fromHex))
  const code = concatBytes(...Array.from({ length: Math.ceil(size / all.length) }, () => all)).subarray(0, size - 1)
  const calls = Array.from({ length: count }, (_, i) => ({ data: toHex(concatBytes(header, code, Uint8Array.of(i))) }))
  return { name: 'deploy 24 KiB', accounts: {}, calls }
}

/** Calls and creations. */
export const frameWorkloads = [selfCalls, callTree(12), creations(400), deployments(30)]
