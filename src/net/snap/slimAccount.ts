import { emptyBytes, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { emptyCodeHash } from '../../primitives/keccak.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { type Account, emptyTrieRoot } from '../../types/account.ts'

/** The form of an account in snap: without the storage root of no slots and the digest of no code. */
export function encodeSlimAccount({ nonce, balance, storageRoot, codeHash }: Account): Uint8Array {
  return encodeRlp([
    scalar(nonce),
    scalar(balance),
    equalBytes(storageRoot, emptyTrieRoot) ? emptyBytes : storageRoot,
    equalBytes(codeHash, emptyCodeHash) ? emptyBytes : codeHash,
  ])
}

/** Undoes `encodeSlimAccount`; nothing of `rlp` is kept. Throws an RlpError. */
export function decodeSlimAccount(rlp: Uint8Array): Account {
  const [nonce, balance, storageRoot, codeHash] = rlpList(decodeRlp(rlp), 4)
  return {
    nonce: rlpScalar(nonce, 64),
    balance: rlpScalar(balance, 256),
    storageRoot: rlpBytes(storageRoot).length === 0 ? emptyTrieRoot : (rlpBytes(storageRoot, 32).slice() as Hash32),
    codeHash: rlpBytes(codeHash).length === 0 ? emptyCodeHash : (rlpBytes(codeHash, 32).slice() as Hash32),
  }
}
