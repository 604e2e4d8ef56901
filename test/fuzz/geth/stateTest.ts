import { rulesOf, since } from '../../../src/forks/rules.ts'
import type { ForkName } from '../../../src/forks/table.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import type { AccessList, Authorization } from '../../../src/types/transaction.ts'
import type { State } from '../../oracle/state.ts'
import { stateRoot } from '../../oracle/stateRoot.ts'
import { addressBytes, wordBytes } from '../../oracle/words.ts'
import { logsHash } from '../logsHash.ts'
import type { Observation } from '../observation.ts'
import type { Scenario, ScenarioBlock, ScenarioTx } from '../scenario.ts'

/** Geth's names of forks that are not ours with a capital letter. The DAO's rules are Homestead's. */
const otherNames: Partial<Record<ForkName, string>> = {
  dao: 'Homestead',
  tangerineWhistle: 'EIP150',
  spuriousDragon: 'EIP158',
  petersburg: 'ConstantinopleFix',
}

const number = (n: bigint) => '0x' + n.toString(16)

/** One transaction as a state test that expects what was seen of it. */
export function stateTestOf(scenario: Scenario, pre: State, sent: ScenarioTx, seen: Observation): object {
  const { fork, block } = scenario
  const name = otherNames[fork] ?? fork.charAt(0).toUpperCase() + fork.slice(1)
  const expected = {
    indexes: { data: 0, gas: 0, value: 0 },
    hash: toHex(stateRoot(seen.post)),
    logs: toHex(logsHash(seen.logs)),
    ...(seen.status === 'invalid' ? { expectException: 'invalid' } : {}),
  }
  return { env: envOf(fork, block), pre: preOf(pre), transaction: transactionOf(sent), post: { [name]: [expected] } }
}

function envOf(fork: ForkName, block: ScenarioBlock): object {
  const rules = rulesOf(fork)
  return {
    currentCoinbase: toHex(addressBytes(block.beneficiary)),
    currentNumber: number(block.number),
    currentTimestamp: number(block.timestamp),
    currentGasLimit: number(block.gasLimit),
    currentDifficulty: number(block.difficulty),
    ...(since(rules, 'london') ? { currentBaseFee: number(block.baseFee) } : {}),
    // What makes the block one after the merge.
    ...(since(rules, 'paris') ? { currentRandom: toHex(wordBytes(block.prevRandao)) } : {}),
    ...(since(rules, 'cancun') ? { currentExcessBlobGas: number(block.excessBlobGas) } : {}),
  }
}

function preOf(state: State): object {
  const accounts = [...state].map(([address, { nonce, balance, code, storage }]) => {
    const slots = [...storage].map(([slot, value]) => [toHex(wordBytes(slot)), toHex(wordBytes(value))])
    const account = { nonce: number(nonce), balance: number(balance), code: toHex(code) }
    return [toHex(addressBytes(address)), { ...account, storage: Object.fromEntries(slots) }]
  })
  return Object.fromEntries(accounts)
}

function transactionOf({ tx, sender }: ScenarioTx): object {
  return {
    sender: toHex(addressBytes(sender)),
    nonce: number(tx.nonce),
    to: tx.to ? toHex(tx.to) : '',
    data: [toHex(tx.data)],
    gasLimit: [number(tx.gasLimit)],
    value: [number(tx.value)],
    ...(tx.type === 0 || tx.type === 1
      ? { gasPrice: number(tx.gasPrice) }
      : { maxFeePerGas: number(tx.maxFee), maxPriorityFeePerGas: number(tx.maxPriorityFee) }),
    ...(tx.type > 0 ? { accessLists: [accessListOf((tx as { accessList: AccessList }).accessList)] } : {}),
    ...(tx.type === 3
      ? { blobVersionedHashes: tx.blobHashes.map(toHex), maxFeePerBlobGas: number(tx.maxBlobFee) }
      : {}),
    ...(tx.type === 4 ? { authorizationList: tx.authorizations.map(authorizationOf) } : {}),
  }
}

function accessListOf(list: AccessList): object[] {
  return list.map(({ address, slots }) => ({ address: toHex(address), storageKeys: slots.map(toHex) }))
}

function authorizationOf({ chainId, address, nonce, yParity, r, s }: Authorization): object {
  const signature = { v: number(yParity), r: number(r), s: number(s) }
  return { chainId: number(chainId), address: toHex(address), nonce: number(nonce), ...signature }
}
