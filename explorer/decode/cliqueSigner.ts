import { type Hex, keccak256, recoverAddress, size, slice, toRlp } from 'viem'
import type { SealedHeader } from '../data/objects.ts'

const sealSize = 65

/** A number as RLP has it. */
function scalar(quantity: Hex): Hex {
  const digits = quantity.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

/** The account that sealed a block of Clique: its beneficiary says nothing of that. */
export async function recoverSigner(header: SealedHeader): Promise<Hex> {
  const end = size(header.extraData) - sealSize
  const fields = [
    header.parentHash,
    header.sha3Uncles,
    header.miner,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.logsBloom,
    ...[header.difficulty, header.number, header.gasLimit, header.gasUsed, header.timestamp].map(scalar),
    slice(header.extraData, 0, end),
    header.mixHash,
    header.nonce,
    // Fields after the base fee are not signed.
    ...(header.baseFeePerGas ? [scalar(header.baseFeePerGas)] : []),
  ]
  const hash = keccak256(toRlp(fields))
  return (await recoverAddress({ hash, signature: slice(header.extraData, end) })).toLowerCase() as Hex
}
