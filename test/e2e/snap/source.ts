import { qbftCodec } from '../../../src/consensus/qbft/qbftCodec.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type Authority, authorities } from '../../support/authorityChain.ts'
import { fillChain } from '../../support/fillChain.ts'
import { inTurn, richGenesis, sealBlock } from '../../support/sealedChain.ts'
import { type SnapNode, startSnapNode } from '../../support/snapNode.ts'

/** From here on other validators make the blocks. */
export const changeAt = 40

export const formerValidators = authorities(4)
export const presentValidators = authorities(8).slice(4)

/** A network of validators that are followed by others. */
export const genesis = {
  ...richGenesis(
    { codec: qbftCodec, validators: formerValidators },
    {
      qbft: { epochlength: 50 },
      transitions: {
        qbft: [{ block: changeAt, validators: presentValidators.map(({ address }) => toHex(address)) }],
      },
    },
  ),
  gasLimit: '0x1fffffffffffff',
}

/** Those who have to seal a block. */
const validatorsAt = (number: number) => (number < changeAt ? formerValidators : presentValidators)

/** A chain of this network in a folder; `sealers` say who seals a block, if not those who have to. */
export function startSource(
  path: string,
  height: number,
  sealers?: (number: number) => readonly Authority[],
): SnapNode {
  const node = startSnapNode({ genesis, path })
  fillChain(node.chain, height, (txs) => {
    const number = Number(node.chain.head().header.number) + 1
    const proposer = inTurn(node.chain, sealers?.(number) ?? validatorsAt(number))
    sealBlock(node.chain, { codec: qbftCodec, proposer, validators: sealers?.(number) ?? validatorsAt(number) }, txs)
  })
  return node
}
