import { concatBytes } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import { assemble } from '../workloads/assemble.ts'

/** Gives so many accounts from that number on what they have. */
export const seedSignature = 'seed(uint256,uint256)'

/** What account 0 has of each; every further one has one more. */
export const firstTokens = 1_000_000
export const firstWei = 1

const transferred = bytesToBigInt(keccak256(Buffer.from('Transfer(address,address,uint256)')))

const seedSelector = toHex(keccak256(Buffer.from(seedSignature)).subarray(0, 4))

/**
 * `balanceOf` and `transfer` of an ERC-20 token with opcodes that every client's development network knows, and `seed`, which gives
 * each of many accounts its tokens and its wei.
 */
export const tokenRuntime = assemble(`0 CALLDATALOAD 224 SHR
  DUP1 0x70a08231 EQ @balanceOf JUMPI
  DUP1 0xa9059cbb EQ @transfer JUMPI
  ${seedSelector} EQ @seed JUMPI
  fail: 0 0 REVERT
  balanceOf: 4 CALLDATALOAD 0 MSTORE 64 0 KECCAK256 SLOAD 0 MSTORE 32 0 RETURN
  seed:
    4 CALLDATALOAD DUP1 36 CALLDATALOAD ADD SWAP1
    next:
      DUP2 DUP2 EQ @done JUMPI
      DUP1 0 MSTORE 32 0 KECCAK256 0x${'ff'.repeat(20)} AND
      DUP1 0 MSTORE DUP2 ${firstTokens} ADD 64 0 KECCAK256 SSTORE
      0 0 0 0 DUP6 ${firstWei} ADD DUP6 0 CALL POP POP
      1 ADD @next JUMP
    done: STOP
  transfer:
    CALLER 0 MSTORE 64 0 KECCAK256 DUP1 SLOAD 36 CALLDATALOAD
    DUP1 DUP3 LT @fail JUMPI
    DUP1 SWAP2 SUB DUP3 SSTORE
    4 CALLDATALOAD 0 MSTORE 64 0 KECCAK256 DUP1 SLOAD DUP3 ADD SWAP1 SSTORE
    0 MSTORE 4 CALLDATALOAD CALLER 0x${transferred.toString(16)} 32 0 LOG3
    1 0 MSTORE 32 0 RETURN`)

const supply = 10n ** 24n

/** Gives the whole supply to who creates it. */
function init(size: number, at: number): Uint8Array {
  return assemble(
    `${supply} CALLER 0 MSTORE 64 0 KECCAK256 SSTORE ${size} 0x${at.toString(16).padStart(2, '0')} 0 CODECOPY ${size} 0 RETURN`,
  )
}

/** What creates the token. */
export const tokenCode = concatBytes(init(tokenRuntime.length, init(tokenRuntime.length, 0xff).length), tokenRuntime)

/** Topic of its only event. */
export const transferTopic = `0x${transferred.toString(16)}`
