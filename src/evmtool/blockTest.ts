import { verifySeal } from '../consensus/ethash/verifySeal.ts'
import type { Evm } from '../evm/evm.ts'
import { orderedTrieRoot } from '../trie/orderedRoot.ts'
import { type Block, decodeBlock } from '../types/block.ts'
import { encodeTx } from '../types/encodeTx.ts'
import { headerHash } from '../types/header.ts'
import { expectRefusal, faultReasonOf } from './exceptions.ts'
import { errorOf, expectBytes, Mismatch } from './expect.ts'
import { toBytes } from './json.ts'
import { type JsonHeader, readJsonHeader } from './jsonHeader.ts'
import { createMemoryChain, type MemoryChain } from './memoryChain.ts'
import { type JsonAccount, readState, stateRoot } from './memoryState.ts'
import { networkSpec } from './networks.ts'

interface JsonBlock {
  readonly rlp: string
  /** Absent if the block must be rejected. */
  readonly blockHeader?: JsonHeader
  /** Expected reason, for all networks or for one (`expectExceptionByzantium`). */
  readonly [exception: `expectException${string}`]: string | undefined
}

/** A blockchain test of ethereum/tests: valid and invalid blocks, and the expected result. */
export interface BlockTest {
  readonly network: string
  readonly sealEngine?: string
  readonly genesisBlockHeader: JsonHeader
  readonly genesisRLP?: string
  readonly pre: Readonly<Record<string, JsonAccount>>
  readonly blocks: readonly JsonBlock[]
  readonly lastblockhash: string
  readonly postState?: Readonly<Record<string, JsonAccount>>
  readonly postStateHash?: string
}

function exceptionOf(block: JsonBlock, network: string): string | undefined {
  return block.expectException ?? block[`expectException${network}`] ?? block.expectExceptionALL
}

/**
 * Tests with an invalid transaction have a header that was made without it, so that the transactions root is wrong as
 * well. With the right root, the block must still be rejected for the reason that the test names.
 */
function withRootOfBody(block: Block): Block {
  const transactionsRoot = orderedTrieRoot(block.transactions.map(encodeTx))
  return { ...block, header: { ...block.header, transactionsRoot } }
}

function expectRefused(chain: MemoryChain, bytes: Uint8Array, exception: string | undefined): void {
  let error = errorOf(() => chain.import(decodeBlock(bytes)))
  if (error && faultReasonOf(error) === 'TRANSACTIONS_ROOT_MISMATCH' && !/transactions_?root/i.test(exception ?? ''))
    error = errorOf(() => chain.import(withRootOfBody(decodeBlock(bytes))))
  if (exception !== undefined) expectRefusal(error, exception)
  else if (!error) throw new Mismatch('accepted, expected to be rejected')
  else if (faultReasonOf(error) === undefined) throw error
}

function checkBlock(chain: MemoryChain, json: JsonBlock, network: string): void {
  const bytes = toBytes(json.rlp)
  if (!json.blockHeader) {
    expectRefused(chain, bytes, exceptionOf(json, network))
    return
  }
  const block = decodeBlock(bytes)
  expectBytes('block hash', headerHash(block.header), toBytes(json.blockHeader.hash))
  chain.import(block)
}

/** Imports the blocks of a test and compares rejected blocks, head and state. */
export function runBlockTest(test: BlockTest, evm: Evm): void {
  const state = readState(test.pre)
  const header = test.genesisRLP
    ? decodeBlock(toBytes(test.genesisRLP)).header
    : readJsonHeader(test.genesisBlockHeader)
  expectBytes('genesis hash', headerHash(header), toBytes(test.genesisBlockHeader.hash))
  expectBytes('genesis state root', stateRoot(state), header.stateRoot)
  const chain = createMemoryChain({
    spec: networkSpec(test.network),
    evm,
    genesis: { header, state },
    ...(test.sealEngine === 'Ethash' ? { verifySeal } : {}),
  })
  for (const [n, json] of test.blocks.entries()) {
    const error = errorOf(() => checkBlock(chain, json, test.network))
    if (error) throw new Mismatch(`block ${n} of the test: ${error.message}`, { cause: error })
  }
  expectBytes('head', chain.head().hash, toBytes(test.lastblockhash))
  const want = test.postState ? stateRoot(readState(test.postState)) : toBytes(test.postStateHash!)
  expectBytes('state root', stateRoot(chain.head().state), want)
}
