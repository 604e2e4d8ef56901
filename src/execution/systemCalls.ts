import type { Evm } from '../evm/evm.ts'
import type { PlacedContract } from '../forks/systemAccounts.ts'
import type { SystemContracts } from '../forks/systemContracts.ts'
import { type Address, zeroAddress } from '../primitives/bytes.ts'
import { hexToAddress } from '../primitives/hex.ts'
import { BlockError } from './fault.ts'

const systemAddress = hexToAddress('fffffffffffffffffffffffffffffffffffffffe')
const systemCallGas = 30_000_000n

function callContract(evm: Evm, to: Address, data: Uint8Array) {
  evm.beginTx({ origin: systemAddress, gasPrice: 0n, blobHashes: [] })
  const outcome = evm.call({ from: systemAddress, to, value: 0n, data, gas: systemCallGas, transfersValue: false })
  evm.endTx()
  return outcome
}

/** Places contracts that blocks call and that are not there, where the rules say so: before anything else happens in a block. */
export function placeContracts(evm: Evm, contracts: readonly PlacedContract[]): void {
  const missing = contracts.filter(({ address }) => evm.code(address).length === 0)
  if (missing.length === 0) return
  evm.beginTx({ origin: systemAddress, gasPrice: 0n, blobHashes: [] })
  for (const { address, code } of missing) {
    evm.setCode(address, code)
    evm.setNonce(address, 1n)
  }
  evm.endTx()
}

/** Tells a contract something at the start of a block (EIP-4788, 2935); without code there nothing happens. */
export function notifyContract(evm: Evm, to: Address, data: Uint8Array): void {
  if (evm.code(to).length > 0) callContract(evm, to, data)
}

/** Asks a contract for its requests at the end of a block (EIP-7002, 7251); it must be there and must answer. */
export function askContract(evm: Evm, contracts: SystemContracts, contract: keyof SystemContracts): Uint8Array {
  const to = contracts[contract]
  if (evm.code(to).length === 0) throw new BlockError({ code: 'SYSTEM_CONTRACT_MISSING', contract })
  const { status, output } = callContract(evm, to, zeroAddress.subarray(0, 0))
  if (status !== 'success') throw new BlockError({ code: 'SYSTEM_CALL_FAILED', contract })
  return output
}
