import { type Hex, stringToHex, toEventSelector, toFunctionSelector } from 'viem'
import { assemble } from '../../../bench/workloads/assemble.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import { toHex } from '../../../src/primitives/hex.ts'

const answers = (text: string) => {
  const padded = stringToHex(text).padEnd(66, '0')
  return `32 0 MSTORE ${text.length} 32 MSTORE ${padded} 64 MSTORE 96 0 RETURN`
}
const returns = '0 MSTORE 32 0 RETURN'
const event = `${toEventSelector('event Transfer(address indexed, address indexed, uint256)')} 32 0 LOG3`

/** Slot 0 is the supply; the balance of an account lies at its address. */
const functions: Readonly<Record<string, string>> = {
  'name()': answers('Consortium Gold'),
  'symbol()': answers('CGLD'),
  'decimals()': `18 ${returns}`,
  'totalSupply()': `0 SLOAD ${returns}`,
  'balanceOf(address)': `4 CALLDATALOAD SLOAD ${returns}`,
  'mint(address,uint256)': `36 CALLDATALOAD DUP1 0 SLOAD ADD 0 SSTORE
    DUP1 4 CALLDATALOAD SLOAD ADD 4 CALLDATALOAD SSTORE
    0 MSTORE 4 CALLDATALOAD 0 ${event} STOP`,
  'transfer(address,uint256)': `CALLER SLOAD 36 CALLDATALOAD DUP1 DUP3 LT @fail JUMPI
    DUP1 SWAP2 SUB CALLER SSTORE DUP1 4 CALLDATALOAD SLOAD ADD 4 CALLDATALOAD SSTORE
    0 MSTORE 4 CALLDATALOAD CALLER ${event} 1 ${returns}`,
}
const entries = Object.entries(functions)

const runtime = assemble(`0 CALLDATALOAD 224 SHR
  ${entries.map(([signature], i) => `DUP1 ${toFunctionSelector(`function ${signature}`)} EQ @f${i} JUMPI`).join('\n')}
  fail: 0 0 REVERT
  ${entries.map(([, body], i) => `f${i}: ${body}`).join('\n')}`)

const copier = (at: number) => assemble(`${runtime.length} ${at} 0 CODECOPY ${runtime.length} 0 RETURN`)

/** Creates an ERC-20 token that says what it does. */
export const plainTokenCreation: Hex = toHex(concatBytes(copier(copier(0xff).length), runtime)) as Hex
