import { describe, expect, test } from 'vitest'
import { hexToAddress, toHex } from '../primitives/hex.ts'
import {
  bftSettingsAt,
  bftValidatorsSetAt,
  cliqueSettingsAt,
  minBlockGap,
  unclearTransitions,
} from './bftTransitions.ts'
import { createChainSpec } from './chainSpec.ts'
import { toGenesisFile } from './genesisFile.ts'
import { publicSystemContracts } from './systemContracts.ts'

const top = { gasLimit: '0x2000000', difficulty: '0x1' }
const genesisOf = (config: object, alloc: object = {}) => toGenesisFile({ ...top, config, alloc })
const specOf = (config: object, alloc: object = {}) => createChainSpec(genesisOf(config, alloc))
const rulesAt = (config: object, alloc: object = {}, number = 1n) =>
  specOf(config, alloc).rulesAt({ number, timestamp: 100n })
const hexOf = (byte: string) => `0x${byte.repeat(20)}`

describe('the maximum gas limit of a transaction', () => {
  const capOf = (bft: object, number = 1n, more: object = {}) =>
    rulesAt({ osakaTime: 0, ...more, qbft: bft }, {}, number).txGasCap

  test('is that of EIP-7825, the one that the network sets, or none', () => {
    expect(capOf({})).toBe(16_777_216n)
    expect(capOf({ pertxgaslimit: 25_000_000 })).toBe(25_000_000n)
    expect(capOf({ pertxgaslimit: 0 })).toBeUndefined()
  })

  test('changes by a transition', () => {
    const more = {
      quoin: { transitionsByTime: false },
      transitions: {
        qbft: [
          { block: 5, pertxgaslimit: 0 },
          { block: 9, pertxgaslimit: 20_000_000 },
        ],
      },
    }
    expect([4n, 5n, 8n, 9n].map((number) => capOf({}, number, more))).toEqual([
      16_777_216n,
      undefined,
      undefined,
      20_000_000n,
    ])
  })

  test('is not above that of a block, and holds before Osaka as well', () => {
    expect(() => specOf({ qbft: { pertxgaslimit: 0x2000001 } })).toThrow('perTxGasLimit must be at most the gasLimit')
    expect(rulesAt({ berlinBlock: 0, qbft: { pertxgaslimit: 21_000 } }).txGasCap).toBe(21_000n)
    expect(rulesAt({ pragueTime: 0, qbft: { pertxgaslimit: 0 } }).txGasCap).toBeUndefined()
  })

  test('holds after a migration', () => {
    const config = { osakaTime: 0, ibft2: { pertxgaslimit: 1 }, qbft: { startblock: 7, pertxgaslimit: 2 } }
    expect([6n, 7n].map((number) => rulesAt(config, {}, number).txGasCap)).toEqual([1n, 2n])
  })
})

describe('contracts that blocks call', () => {
  const code = { balance: '0x0', code: '0x00' }
  const placed = {
    [toHex(publicSystemContracts.withdrawalRequests)]: code,
    [toHex(publicSystemContracts.consolidationRequests)]: code,
  }
  const addresses = {
    depositContractAddress: hexOf('d0'),
    withdrawalRequestContractAddress: hexOf('70'),
    consolidationRequestContractAddress: hexOf('72'),
  }
  const { depositContractAddress, ...two } = addresses
  const contractsOf = (config: object, alloc: object = {}) => rulesAt(config, alloc).systemContracts
  const prague = (more: object = {}) => ({ pragueTime: 0, qbft: {}, ...more })
  const named = {
    ...publicSystemContracts,
    withdrawalRequests: hexToAddress('70'.repeat(20)),
    consolidationRequests: hexToAddress('72'.repeat(20)),
  }

  test('are those that the file names, if it names all three', () => {
    expect(contractsOf(prague(addresses))).toEqual(named)
    expect(contractsOf(prague(two))).toBeUndefined()
    expect(contractsOf(prague({ depositContractAddress }))).toBeUndefined()
  })

  test('are none where the file has them and does not name them', () => {
    expect(contractsOf(prague(), placed)).toBeUndefined()
    expect(contractsOf(prague())).toBeUndefined()
  })

  test('can be set', () => {
    expect(contractsOf(prague({ quoin: { systemCalls: true } }))).toEqual(publicSystemContracts)
    // What the file names is what all nodes call.
    expect(contractsOf(prague({ ...addresses, quoin: { systemCalls: false } }))).toEqual(named)
  })

  test('are called from Cancun on where they are named, and on networks without authorities', () => {
    expect(contractsOf({ cancunTime: 0, qbft: {}, ...addresses })).toEqual(named)
    expect(contractsOf({ cancunTime: 0, qbft: {} })).toBeUndefined()
    // Nodes of a network at Cancun take this rule one after the other.
    const places = { quoin: { placeSystemContracts: true } }
    expect(contractsOf({ cancunTime: 0, qbft: {}, ...places })).toBeUndefined()
    expect(
      specOf({ cancunTime: 0, qbft: {}, ...places }).rulesAt({ number: 1n, timestamp: 1n }).placedContracts,
    ).toEqual([])
    expect(contractsOf({ cancunTime: 0, ethash: {} })).toEqual(publicSystemContracts)
    expect(contractsOf({ shanghaiTime: 0, qbft: {} })).toBeUndefined()
    expect(contractsOf({ pragueTime: 0, ethash: {} })).toEqual(publicSystemContracts)
  })
})

describe('transitions where forks are by time', () => {
  const transitions = {
    qbft: [
      { block: 4, blockreward: '7' },
      { block: 1_780_000_000, blockreward: '9' },
    ],
  }
  const rewardsOf = (config: object) => {
    const { consensus } = specOf({ qbft: {}, transitions, ...config })
    if (consensus.kind !== 'qbft') throw new Error(consensus.kind)
    const at = (number: bigint, timestamp: bigint) => bftSettingsAt(consensus, { number, timestamp }).blockReward
    return [at(1n, 1_699_999_999n), at(1n, 1_779_999_999n), at(4n, 1_779_999_999n), at(5n, 1_780_000_000n)]
  }

  test('are by block where forks are, also behind a billion', () => {
    expect(rewardsOf({ londonBlock: 0 })).toEqual([0n, 0n, 7n, 7n])
  })

  test('are by block before the first fork by time, and have begun with it', () => {
    const shanghaiTime = 1_700_000_000
    expect(rewardsOf({ londonBlock: 0, shanghaiTime })).toEqual([0n, 7n, 7n, 9n])
    expect(rewardsOf({ londonBlock: 0, shanghaiTime, quoin: { transitionsByTime: false } })).toEqual([0n, 0n, 7n, 9n])
    expect(unclearTransitions(genesisOf({ londonBlock: 0, shanghaiTime, transitions }).config)).toEqual([])
  })

  test('are times behind it', () => {
    expect(rewardsOf({ londonBlock: 0, shanghaiTime: 0 })).toEqual([7n, 7n, 7n, 9n])
    const quoin = { transitionsByTime: false }
    expect(rewardsOf({ londonBlock: 0, shanghaiTime: 0, quoin })).toEqual([0n, 0n, 7n, 9n])
  })

  test('are unclear behind it as long as the file does not say what they are', () => {
    const unclear = (config: object) => unclearTransitions(genesisOf({ ...config, transitions }).config)
    expect(unclear({ shanghaiTime: 0 })).toEqual(['transitions.qbft 4'])
    for (const transitionsByTime of [true, false])
      expect(unclear({ shanghaiTime: 0, quoin: { transitionsByTime } })).toEqual([])
  })

  test('set validators at the block of their number, and ask a contract from there on', () => {
    const validators = [hexOf('aa')]
    const contract = { validatorselectionmode: 'contract', validatorcontractaddress: hexOf('cc') }
    const changes = { transitions: { qbft: [{ block: 4, validators, ...contract, blockreward: '7' }] } }
    const { consensus } = specOf({ shanghaiTime: 100, qbft: {}, ...changes })
    if (consensus.kind !== 'qbft') throw new Error(consensus.kind)
    expect(bftSettingsAt(consensus, { number: 3n, timestamp: 100n })).toMatchObject({
      blockReward: 7n,
      validatorContract: undefined,
    })
    expect(bftSettingsAt(consensus, { number: 4n, timestamp: 99n }).validatorContract).toEqual(
      hexToAddress('cc'.repeat(20)),
    )
    expect(bftValidatorsSetAt(consensus, 4n)).toHaveLength(1)
    const early = specOf({ shanghaiTime: 0, qbft: {}, ...changes }).consensus
    expect(early.kind === 'qbft' && bftValidatorsSetAt(early, 4n)).toHaveLength(1)
  })
})

test('transitions of Clique', () => {
  const list = [
    { block: 6, createemptyblocks: false },
    { block: 3, blockperiodseconds: 1 },
  ]
  const { consensus } = specOf({ clique: { blockperiodseconds: 3 }, transitions: { clique: list } })
  if (consensus.kind !== 'clique') throw new Error(consensus.kind)
  const at = (number: bigint) => {
    const { blockPeriodSeconds, createEmptyBlocks } = cliqueSettingsAt(consensus, { number, timestamp: 0n })
    return [blockPeriodSeconds, createEmptyBlocks]
  }
  expect([2n, 3n, 6n].map(at)).toEqual([
    [3, true],
    [1, true],
    [1, false],
  ])
})

test('several blocks a second may have one time', () => {
  const settingsOf = (qbft: object, transitions: object[] = []) => {
    const { consensus } = specOf({ qbft, transitions: { qbft: transitions } })
    if (consensus.kind !== 'qbft') throw new Error(consensus.kind)
    const settings = bftSettingsAt(consensus, { number: 5n, timestamp: 0n })
    return [settings.blockPeriodSeconds, minBlockGap(settings)]
  }
  expect(settingsOf({ blockperiodseconds: 2 })).toEqual([2, 2n])
  expect(settingsOf({ blockperiodseconds: 2, xblockperiodmilliseconds: 300 })).toEqual([1, 0n])
  expect(settingsOf({ blockperiodseconds: 2 }, [{ block: 4, xblockperiodmilliseconds: 1500 }])).toEqual([2, 1n])
  expect(settingsOf({ xblockperiodmilliseconds: 300 }, [{ block: 4, blockreward: 1 }])).toEqual([1, 0n])
  // A period in seconds does not end one in milliseconds.
  expect(settingsOf({ xblockperiodmilliseconds: 300 }, [{ block: 4, blockperiodseconds: 5 }])).toEqual([1, 0n])
})

test('transitions of IBFT 2.0 do not change the period in milliseconds', () => {
  const transitions = { ibft2: [{ block: 4, xblockperiodmilliseconds: 300 }] }
  const { consensus } = specOf({ ibft2: { blockperiodseconds: 2 }, transitions })
  if (consensus.kind !== 'ibft2') throw new Error(consensus.kind)
  expect(minBlockGap(bftSettingsAt(consensus, { number: 5n, timestamp: 0n }))).toBe(2n)
})

test('the zero address may collect fees and rewards', () => {
  const { consensus } = specOf({ qbft: { miningbeneficiary: hexOf('00') } })
  expect(consensus).toMatchObject({ miningBeneficiary: hexToAddress('00'.repeat(20)) })
})

test('a fixed base fee and none exclude each other', () => {
  expect(specOf({ fixedBaseFee: true }).fixedBaseFee).toBe(true)
  expect(() => specOf({ fixedBaseFee: true, zeroBaseFee: true })).toThrow('exclude each other')
})

test('with a fixed base fee, headers of Cancun have no blob fields, and those of Prague have them', () => {
  const times = { shanghaiTime: 1, cancunTime: 2, pragueTime: 3 }
  const rulesOf = (config: object, timestamp: bigint) =>
    specOf({ ...times, ...config }).rulesAt({ number: 9n, timestamp })
  const fields = (config: object, timestamp: bigint) => {
    const { blobs, beaconRoot } = rulesOf(config, timestamp)
    return [blobs !== undefined, beaconRoot]
  }
  expect(fields({ qbft: {}, fixedBaseFee: true }, 2n)).toEqual([false, false])
  expect(fields({ qbft: {}, fixedBaseFee: true }, 3n)).toEqual([true, true])
  expect(fields({ qbft: {}, zeroBaseFee: true }, 2n)).toEqual([true, true])
  expect(fields({ ethash: {}, fixedBaseFee: true }, 2n)).toEqual([true, true])
})
