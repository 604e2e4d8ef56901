import type { Evm } from '../evm/evm.ts'
import { zeroAddress } from '../primitives/bytes.ts'
import type { AccountEdit } from '../types/accountEdit.ts'

/** Makes the changes of a block that come before everything else in it and that no transaction makes. */
export function applyEdits(evm: Evm, edits: readonly AccountEdit[]): void {
  if (edits.length === 0) return
  evm.beginTx({ origin: zeroAddress, gasPrice: 0n, blobHashes: [] })
  for (const edit of edits) applyEdit(evm, edit)
  evm.endTx()
}

function applyEdit(evm: Evm, { address, balance, nonce, code, slot }: AccountEdit): void {
  if (balance !== undefined) {
    const have = evm.balance(address)
    if (balance > have) evm.addBalance(address, balance - have)
    else evm.subBalance(address, have - balance)
  }
  if (nonce !== undefined) evm.setNonce(address, nonce)
  if (code) evm.setCode(address, code)
  if (slot) evm.setStorage(address, slot.key, slot.value)
}
