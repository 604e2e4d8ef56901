import { transferTopic } from '../../src/chain/tokens/tokenEvents.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import { assemble } from '../workloads/assemble.ts'

/** Transfers that one call emits. */
export const transfersPerCall = 200
/** Accounts that the transfers go to, and the first of them. */
export const [holders, firstHolder] = [10_007, 4096]
/** The first of them send: were it all of them in turn, nobody would hold anything at last. */
const senders = 97
/** The account that every tenth transfer goes to. */
export const busyHolder = 1

const emit = `${bytesToBigInt(transferTopic)} 32 0 LOG3`

/**
 * Emits transfers of one token each, numbered from the first word of its call data on, and one more to the account in the second word
 * if there is one. It keeps no balances: what is measured is an index of events.
 */
export const emitter = assemble(`1 0 MSTORE 0 CALLDATALOAD
  loop: ${holders} 7919 DUP3 MUL 13 ADD MOD ${firstHolder} ADD
  10 DUP3 MOD ISZERO
  DUP1 ISZERO DUP3 MUL ADD SWAP1 POP
  ${senders} DUP3 MOD ${firstHolder} ADD
  ${emit}
  1 ADD DUP1 ${transfersPerCall} 0 CALLDATALOAD ADD SWAP1 LT @loop JUMPI
  CALLDATASIZE 32 LT ISZERO @end JUMPI
  32 CALLDATALOAD ${firstHolder} ${emit}
  end: STOP`)
