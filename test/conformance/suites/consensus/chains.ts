import type { ChainView } from '../../../../src/chain/view.ts'
import { type AuthorityEngine, isAuthorityEngine } from '../../../../src/consensus/authorityEngine.ts'
import { createConsensus } from '../../../../src/consensus/createConsensus.ts'
import { expectBytes, expectEqual, Mismatch } from '../../../../src/evmtool/expect.ts'
import { toBytes, toNumber } from '../../../../src/evmtool/json.ts'
import { createChainSpec } from '../../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../../src/forks/genesisFile.ts'
import { hexToAddress } from '../../../../src/primitives/hex.ts'
import type { Data } from '../../data.ts'
import { blocksOf, withDiskChain } from '../../diskChain.ts'
import type { Case, SuiteOptions } from '../../suite.ts'
import { expectAddresses } from './addresses.ts'

interface Expected {
  readonly genesisHash: string
  readonly head: { readonly number: number; readonly hash: string; readonly stateRoot: string }
  readonly blocks: readonly {
    readonly number: number
    readonly hash: string
    readonly sealer: string
    readonly gasUsed: number
    readonly transactions: number
    readonly validators: readonly string[]
    readonly validatorsAfter: readonly string[]
  }[]
  readonly balancesAtHead: Readonly<Record<string, string>>
}

const made = ['clique', 'ibft2', 'qbft']
const besuHead = '0x5871e530b74b153573610dc22cdcd5cd3a7d0f52769a088f506f89252af29505'

/** Imports a chain file and lets `check` look at the result. */
function importing(
  data: Data,
  folder: string,
  options: SuiteOptions,
  check: (view: ChainView, consensus: AuthorityEngine) => void,
): Promise<void> {
  const spec = createChainSpec(toGenesisFile(data.json(`${folder}/genesis.json`)))
  const consensus = createConsensus(spec)
  if (!isAuthorityEngine(consensus)) throw new Mismatch('not an engine of validators')
  return withDiskChain(spec, consensus, options, (chain) => {
    chain.importBlocks(blocksOf(data.bytes(`${folder}/chain.rlp`)))
    chain.read((view) => check(view, consensus))
  })
}

function checkChain(data: Data, name: string, options: SuiteOptions): Promise<void> {
  const folder = `consensus/chains/${name}`
  const want = data.json(`${folder}/expected.json`) as Expected
  return importing(data, folder, options, (view, consensus) => {
    expectBytes('genesis hash', view.hashAt(0n)!, toBytes(want.genesisHash))
    expectEqual('head', view.head.header.number, BigInt(want.head.number))
    expectBytes('head', view.head.hash, toBytes(want.head.hash))
    expectBytes('state root', view.head.header.stateRoot, toBytes(want.head.stateRoot))
    for (const block of want.blocks) {
      const have = view.blockAt(BigInt(block.number))!
      const what = `of block ${block.number}`
      expectBytes(`hash ${what}`, have.hash, toBytes(block.hash))
      expectBytes(`sealer ${what}`, consensus.signerOf(have.header), toBytes(block.sealer))
      expectEqual(`gas used ${what}`, have.header.gasUsed, BigInt(block.gasUsed))
      expectEqual(`transactions ${what}`, have.block.transactions.length, block.transactions)
      const parent = view.headerAt(BigInt(block.number - 1))!
      expectAddresses(`validators ${what}`, consensus.validatorsAfter(parent, view), block.validators)
      expectAddresses(`validators after ${block.number}`, consensus.validatorsAfter(have, view), block.validatorsAfter)
    }
    const state = view.stateAt(view.head.header.number)
    for (const [address, balance] of Object.entries(want.balancesAtHead))
      expectEqual(`balance of ${address}`, state.account(hexToAddress(address))?.balance, toNumber(balance))
  })
}

/** A chain that Besu made: with a block reward, a change of fork, and validators that came and went. */
function checkBesuChain(data: Data, options: SuiteOptions): Promise<void> {
  return importing(data, 'besu-live', options, (view, consensus) => {
    expectBytes('head', view.head.hash, toBytes(besuHead))
    const counts = [19n, 20n, 46n, 47n].map((number) => {
      const parent = view.headerAt(number - 1n)!
      return consensus.validatorsAfter(parent, view).length
    })
    expectEqual('validators of 19, 20, 46 and 47', counts.join(), '1,2,2,1')
  })
}

export function chainCases(data: Data, options: SuiteOptions): Case[] {
  return [
    ...made.map((name) => ({ name: `chains/${name}`, run: () => checkChain(data, name, options) })),
    { name: 'chains of Besu: besu-live', run: () => checkBesuChain(data, options) },
  ]
}
