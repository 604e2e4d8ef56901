import type { ChainView } from '../../chain/view.ts'
import type { Store } from '../../store/store.ts'
import { txHash } from '../../types/encodeTx.ts'
import { EnclaveError } from '../enclave/enclave.ts'
import { privateReceiptsIn } from '../execution/privateReceipts.ts'
import { txAt } from '../following/groupBlocks.ts'
import type { History, PastTx } from './history.ts'

/** All that a flexible group has executed up to the head. */
export function collectHistory(store: Store, view: ChainView, group: Uint8Array): History {
  const history: PastTx[] = []
  store.read((reader) => {
    for (const { at, receipt } of privateReceiptsIn(reader, group, 0, Number(view.head.header.number))) {
      if (!receipt.root || !view.isCanonical(at.hash)) continue
      const tx = txAt(reader, group, at)
      if (!tx) throw new EnclaveError({ code: 'ENCLAVE_UNAVAILABLE', text: 'a payload of the history is missing' })
      history.push({ tx, marker: txHash(view.body(at.hash)!.transactions[at.index]!), root: receipt.root })
    }
  })
  return history
}
