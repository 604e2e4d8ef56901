import type { Chain } from '../../src/chain/chain.ts'
import { draftHeader } from '../../src/consensus/producing/draftHeader.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { oneStep } from '../../src/primitives/steps.ts'
import type { Block } from '../../src/types/block.ts'
import { bftMixHash } from '../../src/types/header.ts'
import { senderOf } from '../../src/types/signTx.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { type Authority, type BftPlan, bftGenesis, sealBft } from './authorityChain.ts'

/** The network of validators in which the first account of the development network is rich, so that `devTx` and `fillChain` fit. */
export function richGenesis(plan: Pick<BftPlan, 'codec' | 'validators'>, config: object, alloc: object = {}) {
  const balance = '0x1000000000000000000000000'
  return bftGenesis(
    plan.codec,
    plan.validators,
    { chainId: 1337, ...config },
    { [devAccounts[0].address]: { balance }, ...alloc },
  )
}

/** Makes a block of IBFT 2.0 or QBFT with transactions, and puts it on the chain. */
export function sealBlock(chain: Chain, plan: BftPlan, txs: readonly Tx[] = []): Block {
  const parent = chain.head()
  const terms = {
    timestamp: parent.header.timestamp + 1n,
    beneficiary: plan.proposer.address,
    extraData: new Uint8Array(0),
    difficulty: 1n,
    targetGasLimit: undefined,
  }
  const header = sealBft({ ...draftHeader(parent, terms, chain.spec), mixHash: bftMixHash }, plan)
  const made = chain.produce(
    { header, transactions: [], ommers: [], withdrawals: undefined },
    oneStep((run) => {
      for (const tx of txs) run.add(tx, senderOf(tx))
      return txs
    }),
    { seal: (unsealed) => sealBft(unsealed, plan) },
  )
  return made!.block
}

/** Who proposes the next block among these, in turn. */
export function inTurn(chain: Chain, validators: readonly Authority[]): Authority {
  return validators[Number(chain.head().header.number + 1n) % validators.length]!
}
