import { expect, test } from 'vitest'
import { hexToHash } from '../primitives/hex.ts'
import { createChainSpec } from './chainSpec.ts'
import { acceptsForkId, forkIdAt, isForkIdOf } from './forkId.ts'
import { toGenesisFile } from './genesisFile.ts'

const spec = createChainSpec(
  toGenesisFile({
    config: {
      chainId: 1,
      homesteadBlock: 1150000,
      daoForkBlock: 1920000,
      eip150Block: 2463000,
      eip158Block: 2675000,
      byzantiumBlock: 4370000,
      constantinopleBlock: 7280000,
      petersburgBlock: 7280000,
      istanbulBlock: 9069000,
      muirGlacierBlock: 9200000,
      berlinBlock: 12244000,
      londonBlock: 12965000,
      arrowGlacierBlock: 13773000,
      grayGlacierBlock: 15050000,
      terminalTotalDifficulty: 58750000000000000000000n.toString(),
      shanghaiTime: 1681338455,
      cancunTime: 1710338135,
    },
    difficulty: '0x400000000',
    gasLimit: '0x1388',
  }),
)
const genesis = hexToHash('d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3')

// The public network's ids, as EIP-2124 and EIP-6122 list them.
test.each([
  [0n, 0n, 0xfc64ec04, 1150000n],
  [1149999n, 0n, 0xfc64ec04, 1150000n],
  [1150000n, 0n, 0x97c2c34c, 1920000n],
  [1920000n, 0n, 0x91d1f948, 2463000n],
  [2675000n, 0n, 0x3edd5b10, 4370000n],
  [7280000n, 0n, 0x668db0af, 9069000n],
  [12965000n, 0n, 0xb715077d, 13773000n],
  [15050000n, 0n, 0xf0afd0e3, 1681338455n],
  [20000000n, 1681338455n, 0xdce96c2d, 1710338135n],
  [40000000n, 1710338135n, 0x9f3d2254, 0n],
])('at block %d, time %d', (number, timestamp, hash, next) => {
  expect(forkIdAt(spec, genesis, { number, timestamp })).toEqual({ hash, next })
})

const byzantium = { number: 7279999n, timestamp: 0n }
const petersburg = { number: 7987396n, timestamp: 0n }
const shanghai = { number: 20000000n, timestamp: 1681338455n }

test.each([
  ['the same, expecting the same', byzantium, 0xa00bc324, 7280000n, true],
  ['the same, expecting nothing', byzantium, 0xa00bc324, 0n, true],
  ['the same, expecting what we do not know', byzantium, 0xa00bc324, 7280001n, true],
  ['the same, but it forked where we did not', petersburg, 0x668db0af, 7987396n, false],
  ['behind, expecting what came', petersburg, 0xa00bc324, 7280000n, true],
  ['behind, ignorant of what came', petersburg, 0xa00bc324, 0n, false],
  ['behind, expecting something else', petersburg, 0xa00bc324, 7279999n, false],
  ['far behind', petersburg, 0xfc64ec04, 1150000n, true],
  ['ahead', byzantium, 0x668db0af, 9069000n, true],
  ['ahead by times', byzantium, 0x9f3d2254, 0n, true],
  ['of another network', petersburg, 0xafec6b27, 0n, false],
  ['the same by time', shanghai, 0xdce96c2d, 1710338135n, true],
  ['the same by time, but it forked where we did not', shanghai, 0xdce96c2d, 1681338455n, false],
])('a node that is %s', (_, head, hash, next, accepted) => {
  expect(acceptsForkId(spec, genesis, head, { hash, next })).toBe(accepted)
})

test('where nothing ever forked any peer with the genesis hash will do, but the id has to be right', () => {
  const plain = createChainSpec(toGenesisFile({ config: { berlinBlock: 0 }, difficulty: '0x1', gasLimit: '0x1388' }))
  expect(acceptsForkId(plain, genesis, byzantium, { hash: 1, next: 0n })).toBe(true)
  expect(isForkIdOf(plain, genesis, byzantium, { hash: 1, next: 0n })).toBe(false)
  expect(isForkIdOf(plain, genesis, byzantium, forkIdAt(plain, genesis, byzantium))).toBe(true)
})
