import { BlockError } from '../../execution/fault.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp } from '../../primitives/rlp.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { type Header, headerToRlp } from '../../types/header.ts'
import { epochCache } from './epochCache.ts'
import { hashimoto } from './hashimoto.ts'
import { datasetBytesOf, epochOf } from './sizes.ts'

/** Positions of the mix hash and the nonce in a header's RLP. */
const sealFields = { from: 13, count: 2 }

/** Hash of the header without nonce and mix hash, the input of the proof of work. */
export function sealingHash(header: Header): Hash32 {
  return keccak256(encodeRlp(headerToRlp(header).toSpliced(sealFields.from, sealFields.count)))
}

/** Throws a BlockError unless the header's proof of work satisfies its difficulty. */
export function verifySeal(header: Header): void {
  const epoch = epochOf(header.number)
  const { mixHash, result } = hashimoto(epochCache(epoch), datasetBytesOf(epoch), sealingHash(header), header.nonce)
  const small = header.difficulty > 0n && bytesToBigInt(result) * header.difficulty <= 1n << 256n
  if (!small || !equalBytes(mixHash, header.mixHash)) throw new BlockError({ code: 'PROOF_OF_WORK_INVALID' })
}
