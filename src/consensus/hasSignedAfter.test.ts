import { afterEach, expect, test } from 'vitest'
import { authorities, bftGenesis } from '../../test/support/authorityChain.ts'
import { openNetwork, type TestNetwork } from '../../test/support/localValidators.ts'
import type { ValidatorNode } from '../../test/support/validatorNode.ts'
import { zeroAddress } from '../primitives/bytes.ts'
import { hasSignedAfter } from './hasSignedAfter.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const qbft = { blockperiodseconds: 1, requesttimeoutseconds: 2 }

const networks: TestNetwork[] = []
afterEach(async () => {
  for (const network of networks.splice(0)) await network.close()
})

/** The first of some validators, which have made some blocks. */
function open(count: number): ValidatorNode {
  const keys = authorities(count)
  const network = openNetwork(bftGenesis(qbftCodec, keys, { qbft }), keys)
  networks.push(network)
  network.reach(3)
  return network.node
}

test('one of several validators is bound by what it has signed', () => {
  const { chain, consensus, address, head } = open(2)
  expect(hasSignedAfter(1n, chain, consensus, address)).toBe(true)
  expect(hasSignedAfter(head().header.number, chain, consensus, address)).toBe(false)
  expect(hasSignedAfter(1n, chain, consensus, zeroAddress)).toBe(false)
})

test('a validator that is alone is not', () => {
  const { chain, consensus, address } = open(1)
  expect(hasSignedAfter(1n, chain, consensus, address)).toBe(false)
})
