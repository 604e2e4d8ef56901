import type { Evm } from '../../evm/evm.ts'
import type { Host, HostAccount } from '../../evm/host.ts'
import { type Address, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { emptyCodeHash } from '../../primitives/keccak.ts'

function isEmpty({ nonce, balance, codeHash }: HostAccount): boolean {
  return nonce === 0n && balance === 0n && equalBytes(codeHash, emptyCodeHash)
}

/**
 * What private code sees: the private account, unless that is empty and there is a public one, which it can only read.
 * Senders are private in any case.
 */
export function createPrivateHost(own: Host, open: Host, senders: readonly Address[]): Host {
  const alwaysPrivate = new Set(senders.map(keyOf))
  const opened = new Set<string>()
  const openedCodes = new Set<string>()
  return {
    account(address) {
      const found = own.account(address)
      if ((found && !isEmpty(found)) || alwaysPrivate.has(keyOf(address))) return found
      const other = open.account(address)
      if (!other || isEmpty(other)) return found
      opened.add(keyOf(address))
      openedCodes.add(keyOf(other.codeHash))
      return { ...other, readOnly: true }
    },
    storage: (address, slot) => (opened.has(keyOf(address)) ? open : own).storage(address, slot),
    code: (hash) => (openedCodes.has(keyOf(hash)) ? open : own).code(hash),
    blockHash: open.blockHash,
  }
}

/** The state in the midst of a block, as the interpreter that runs it has it. */
export function hostOfRunning(evm: Evm, below: Host): Host {
  return {
    account(address) {
      if (!evm.exists(address)) return undefined
      const account = { nonce: evm.nonce(address), balance: evm.balance(address), codeHash: evm.codeHash(address) }
      // Whether it has slots is asked only where a contract is created.
      return { ...account, hasStorage: true }
    },
    storage: (address: Address, slot: Hash32) => evm.storage(address, slot),
    code(hash) {
      for (const { hash: made, code } of evm.changes().codes) if (equalBytes(made, hash)) return code
      return below.code(hash)
    },
    blockHash: below.blockHash,
  }
}
