import { expect, test } from 'vitest'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { createRandom } from '../fuzz/random.ts'
import { authorities } from '../support/authorityChain.ts'
import { createBftChecks } from './bftChecks.ts'
import { createBftLaw } from './bftLaw.ts'
import { drawBftSetting } from './bftSetting.ts'
import { drawFaults } from './faults.ts'
import { createSimCrypto } from './simCrypto.ts'

test('two blocks of one height are not both final, the same one twice is', () => {
  const keys = authorities(4)
  const random = createRandom(1)
  const setting = drawBftSetting(random, 'qbft', keys, drawFaults(random, 4, new Set()))
  const law = createBftLaw(qbftProtocol, setting, createSimCrypto(keys, false).of(keys[0]!))
  const { onImport } = createBftChecks(qbftProtocol, law, new Set())
  const plan = { parent: law.genesis, round: 0, timestamp: law.genesis.header.timestamp + 1n }
  const [one, other] = [1, 2].map((mark) => {
    const { header } = law.build(keys[0]!, plan, undefined, Uint8Array.of(mark))
    return { header, hash: law.hashOf(header) }
  })
  onImport(one!)
  onImport(one!)
  expect(() => onImport(other!)).toThrow('two final blocks: height 1')
})
