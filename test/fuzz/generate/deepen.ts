import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { since } from '../../../src/forks/rules.ts'
import { addressBytes } from '../../oracle/words.ts'
import type { Random } from '../random.ts'
import { rulesIn, type Scenario } from '../scenario.ts'
import { createAssembler } from './assembler.ts'

/** Enough for a thousand frames when each gets 63 of 64 parts. */
const deepGas = 1n << 40n

/** The same scenario, reduced to one transaction that calls one contract that calls itself until it may not. */
export function deepen(random: Random, scenario: Scenario, contract: bigint): Scenario {
  const rules = rulesIn(scenario)
  if (rules.txGasCap !== undefined) return scenario
  const kinds: number[] = [op.CALL, op.CALLCODE]
  if (since(rules, 'homestead')) kinds.push(op.DELEGATECALL)
  if (since(rules, 'byzantium')) kinds.push(op.STATICCALL)
  const code = selfCaller(random.pick(kinds), since(rules, 'tangerineWhistle'))
  const { sender, tx } = scenario.txs[0]!
  const account = { ...scenario.pre.get(contract)!, code }
  return {
    ...scenario,
    block: { ...scenario.block, gasLimit: 2n * deepGas },
    pre: new Map(scenario.pre).set(contract, account),
    txs: [{ sender, tx: { ...tx, to: addressBytes(contract), gasLimit: deepGas } }],
  }
}

/** Returns one more than the same code returned one frame deeper. */
function selfCaller(kind: number, givesAll: boolean): Uint8Array {
  const asm = createAssembler()
  for (const argument of [32n, 0n, 0n, 0n]) asm.push(argument)
  if (kind === op.CALL || kind === op.CALLCODE) asm.push(0n)
  asm.op(op.ADDRESS)
  if (!givesAll) asm.push(1000n)
  asm.op(op.GAS)
  if (!givesAll) asm.op(op.SUB)
  asm.op(kind, op.POP)
  asm.push(0n)
  asm.op(op.MLOAD)
  asm.push(1n)
  asm.op(op.ADD)
  asm.push(0n)
  asm.op(op.MSTORE)
  for (const argument of [32n, 0n]) asm.push(argument)
  asm.op(op.RETURN)
  return asm.code()
}
