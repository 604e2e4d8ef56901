import type { Evm } from '../../src/evm/evm.ts'
import type { Host } from '../../src/evm/host.ts'
import { applyTx, type TxContext } from '../../src/execution/applyTx.ts'
import { TxError } from '../../src/execution/fault.ts'
import { emptyBytes, equalBytes, keyOf } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { bigIntToBytes, bytesToBigInt, maxU64 } from '../../src/primitives/u256.ts'
import type { StateChanges } from '../../src/types/stateChanges.ts'
import type { AccountState, State } from '../oracle/state.ts'
import { addressBytes, addressNumber, wordBytes } from '../oracle/words.ts'
import type { Observation } from './observation.ts'
import { blockEnvOf, blockHash, rulesIn, type Scenario, type ScenarioTx } from './scenario.ts'

/**
 * Runs the scenario on one of the product's engines, the way blocks are applied. With `flush` the changes go down
 * to the host after each transaction, as they do after a block. `onTx` hears of each transaction before it runs.
 */
export function observeEngine(
  evm: Evm,
  scenario: Scenario,
  flush: boolean,
  onTx?: (tx: number) => void,
): Observation[] {
  const rules = rulesIn(scenario)
  const block = blockEnvOf(scenario)
  let committed = scenario.pre
  evm.reset(hostOver(() => committed))
  evm.setBlock(block, rules)
  return scenario.txs.map((sent, index) => {
    onTx?.(index)
    const outcome = apply(evm, sent, { block, rules, pool: { gas: block.gasLimit, blobGas: maxU64 } })
    const post = withChanges(committed, evm.changes())
    if (flush) {
      committed = post
      evm.flushed()
    }
    return { ...outcome, post }
  })
}

function apply(evm: Evm, { tx, sender }: ScenarioTx, context: TxContext): Omit<Observation, 'post'> {
  try {
    const { status, halt, gasUsed, output, logs } = applyTx(evm, tx, addressBytes(sender), context)
    const failure = halt === 'revert' ? 'revert' : 'halt'
    return { status: status === 1 ? 'success' : failure, gasUsed, output, logs }
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    return { status: 'invalid', gasUsed: 0n, output: emptyBytes, logs: [] }
  }
}

/** A host over the oracle's form of a state. */
export function hostOver(state: () => State): Host {
  const codes = new Map<string, Uint8Array>()
  return {
    account(address) {
      const account = state().get(addressNumber(address))
      if (account === undefined) return undefined
      const codeHash = keccak256(account.code)
      codes.set(keyOf(codeHash), account.code)
      return { nonce: account.nonce, balance: account.balance, codeHash, hasStorage: account.storage.size > 0 }
    },
    storage(address, slot) {
      return bigIntToBytes(state().get(addressNumber(address))?.storage.get(bytesToBigInt(slot)) ?? 0n)
    },
    code(hash) {
      // Code that came down with a flush was never asked for by account: the engine may have dropped it since.
      const found =
        codes.get(keyOf(hash)) ?? [...state().values()].find(({ code }) => equalBytes(keccak256(code), hash))?.code
      if (!found) throw new Error('the engine asks for code that no account has')
      return found
    },
    blockHash: (number) => wordBytes(blockHash(number)),
  }
}

/** The state with an engine's changes in it. */
function withChanges(state: State, { accounts, codes }: StateChanges): State {
  const newCodes = new Map(codes.map(({ hash, code }) => [keyOf(hash), code]))
  const result = new Map(state)
  for (const { address, account, wiped, slots } of accounts) {
    const key = addressNumber(address)
    const before = state.get(key)
    if (account === undefined) {
      result.delete(key)
      continue
    }
    const storage = new Map(wiped ? [] : before?.storage)
    for (const { slot, value } of slots) setSlot(storage, bytesToBigInt(slot), bytesToBigInt(value))
    const { nonce, balance, codeHash } = account
    const code = newCodes.get(keyOf(codeHash)) ?? codeOf(before, codeHash)
    result.set(key, { nonce, balance, code, storage })
  }
  return result
}

function setSlot(storage: Map<bigint, bigint>, slot: bigint, value: bigint): void {
  if (value === 0n) storage.delete(slot)
  else storage.set(slot, value)
}

/** Code that was not new: the account's own from before, or none. */
function codeOf(before: AccountState | undefined, codeHash: Uint8Array): Uint8Array {
  const code = [before?.code ?? emptyBytes, emptyBytes].find((known) => keyOf(keccak256(known)) === keyOf(codeHash))
  if (code === undefined) throw new Error('the engine names a code that it does not give')
  return code
}
