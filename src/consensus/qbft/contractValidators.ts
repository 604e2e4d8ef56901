import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { maxQuestionGas } from '../../execution/callContract.ts'
import { BlockError } from '../../execution/fault.ts'
import { type Address, compareBytes, equalBytes, keyOf, toAddress } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import type { ContractValidators } from '../bft/bftEngine.ts'

/** Calls a contract on the state after a canonical block; returns undefined if the call fails. */
export type CallContract = (
  to: Address,
  data: Uint8Array,
  block: HashedHeader,
  chain: ChainView,
) => Uint8Array | undefined

/** Selector of `getValidators()`, which returns `address[]`. */
const getValidators = fromHex('0xb7ab4db5')
const wordLength = 32
const rememberedLists = 128

/** Decodes an ABI-encoded `address[]`; undefined if it is malformed. */
export function decodeAddressList(output: Uint8Array): Address[] | undefined {
  const numberAt = (at: number) => Number(bytesToBigInt(output.subarray(at, at + wordLength)))
  const start = output.length < wordLength ? Number.NaN : numberAt(0)
  if (!(start + wordLength <= output.length)) return undefined
  const count = numberAt(start)
  const first = start + wordLength
  if (first + count * wordLength > output.length) return undefined
  return Array.from({ length: count }, (_, i) => {
    const end = first + (i + 1) * wordLength
    return toAddress(output.slice(end - 20, end))
  })
}

/** Reads validators from a contract, in ascending order. */
export function createContractValidators(callContract: CallContract): ContractValidators {
  /** By block and contract; undefined is no list, for which the contract is not run again. */
  const known = createRecentMap<string, ReadonlyMap<string, readonly Address[] | undefined>>(rememberedLists)

  function ask(contract: Address, block: HashedHeader, chain: ChainView): readonly Address[] | undefined {
    const canonical = chain.hashAt(block.header.number)
    if (!canonical || !equalBytes(canonical, block.hash))
      throw new BlockError({ code: 'VALIDATORS_UNKNOWN', reason: 'the state after the parent block is not available' })
    const output = callContract(contract, getValidators, block, chain)
    const list = output && decodeAddressList(output)
    // As in Besu, an address that the contract lists twice counts twice.
    return list?.sort(compareBytes)
  }

  return (contract, block, chain) => {
    const lists = known.use(keyOf(block.hash))
    const isKnown = lists?.has(keyOf(contract))
    const list = isKnown ? lists?.get(keyOf(contract)) : ask(contract, block, chain)
    if (!isKnown) known.set(keyOf(block.hash), new Map(lists).set(keyOf(contract), list))
    if (list) return list
    throw new BlockError({
      code: 'VALIDATORS_UNKNOWN',
      reason: `the validator contract fails, spends more than ${maxQuestionGas} gas, or returns no list of addresses`,
    })
  }
}
