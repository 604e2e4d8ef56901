import type { Host } from '../evm/host.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { emptyTrieRoot } from '../types/account.ts'
import type { StateView } from './view.ts'

/** The state that an EVM runs on. */
export function createHost(view: StateView, blockHash: (number: bigint) => Hash32 | undefined): Host {
  return {
    account(address) {
      const account = view.account(address)
      if (account === undefined) return undefined
      const { nonce, balance, codeHash, storageRoot } = account
      return { nonce, balance, codeHash, hasStorage: !equalBytes(storageRoot, emptyTrieRoot) }
    },
    storage: view.storage,
    code: view.code,
    blockHash,
  }
}
