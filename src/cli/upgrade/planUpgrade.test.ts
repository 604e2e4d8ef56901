import { describe, expect, test } from 'vitest'
import { createChainSpec } from '../../forks/chainSpec.ts'
import { parseGenesisFile } from '../../forks/genesisFile.ts'
import { systemAccountKeys } from '../../forks/systemAccounts.ts'
import { planUpgrade, type UpgradeWish } from './planUpgrade.ts'
import { parseBesu, parseTime } from './runPlan.ts'

const now = 1_800_000_000n
const day = 86_400n
const at = now + 10n * day
const london = { londonBlock: 0, qbft: { blockperiodseconds: 2 } }

function plan(config: object, wish: Partial<UpgradeWish> = {}) {
  const text = JSON.stringify({ config, gasLimit: '0x2000000', difficulty: '0x1', alloc: { '01': { balance: 5 } } })
  const planned = planUpgrade({
    ...{ text, to: 'prague', at, now, oldestBesu: undefined, txGasLimit: undefined, hasCode: () => false },
    ...wish,
  })
  return { ...planned, config: JSON.parse(planned.text).config, spec: createChainSpec(parseGenesisFile(planned.text)) }
}
const times = { shanghaiTime: Number(at), cancunTime: Number(at), pragueTime: Number(at) }

test('a network at Cancun whose blocks do not call the contract that is there goes on so', () => {
  const cancun = { ...london, shanghaiTime: 5, cancunTime: 5 }
  const hasCode = () => true
  const { config } = plan(cancun, { hasCode })
  expect(config).toEqual({ ...cancun, pragueTime: Number(at), quoin: { systemCalls: false } })
  // Where blocks call it, they call the others too.
  const calling = { ...cancun, quoin: { systemCalls: true } }
  expect(plan(calling, { hasCode }).config).toEqual({
    ...calling,
    ...systemAccountKeys('prague'),
    pragueTime: Number(at),
  })
  expect(plan(cancun).config.quoin).toEqual({ placeSystemContracts: true })
})

describe('a London network', () => {
  test('of Quoin places what is missing', () => {
    const { config, missing, spec } = plan(london)
    expect(config).toEqual({ ...london, ...times, quoin: { placeSystemContracts: true } })
    expect(missing).toHaveLength(4)
    expect(missing[3]).toContain('the first block that calls it places it')
    expect(spec.rulesAt({ number: 9n, timestamp: at }).placedContracts).toHaveLength(4)
  })

  test('goes to Osaka at once, with a limit for transactions if that is wanted', () => {
    const { config, effects } = plan(london, { to: 'osaka' })
    expect(config.osakaTime).toBe(Number(at))
    expect(effects.join()).toContain('16777216 gas at most')
    const free = plan(london, { to: 'osaka', txGasLimit: 0n })
    expect(free.config.qbft).toEqual({ blockperiodseconds: 2, pertxgaslimit: 0 })
    expect(free.effects.join()).not.toContain('16777216')
    const limited = plan(london, { to: 'osaka', txGasLimit: 20_000_000n })
    const capAt = (timestamp: bigint) => limited.spec.rulesAt({ number: 9n, timestamp }).txGasCap
    expect([at - 1n, at].map(capAt)).toEqual([undefined, 20_000_000n])
    expect(limited.config.qbft).toEqual(london.qbft)
    const oldestBesu = parseBesu('26.7')
    expect(() => plan(london, { to: 'osaka', txGasLimit: 0n, oldestBesu })).toThrow('Besu before 26.8')
  })

  test('with Besu since 26.1 calls nothing', () => {
    const { config, missing, spec } = plan(london, { oldestBesu: parseBesu('26.8') })
    expect(config).toEqual({ ...london, ...times, quoin: { systemCalls: false } })
    expect(missing[2]).toContain('blocks call nothing')
    expect(spec.rulesAt({ number: 9n, timestamp: at }).systemContracts).toBeUndefined()
  })

  test('with Besu before makes contracts by transaction between Shanghai and Prague', () => {
    const { config, steps } = plan(london, { oldestBesu: parseBesu('25.12') })
    expect(config).toEqual({
      ...london,
      ...systemAccountKeys('prague'),
      shanghaiTime: Number(at),
      cancunTime: Number(at),
      pragueTime: Number(at + day),
    })
    const made = steps.filter((step) => step.includes('eth_sendRawTransaction'))
    expect(made).toHaveLength(4)
    expect(made[2]).toMatch(/0x8646861a7cf453ddd086874d622b0696de5b9674.*\n0xf9/s)
  })

  test('that has the contracts names them', () => {
    const { config, missing } = plan(london, { hasCode: () => true })
    expect(config).toEqual({ ...london, ...times, ...systemAccountKeys('prague') })
    expect(missing).toEqual([])
  })
})

test('forks that are in the file stay, and keys in other letters are the same keys', () => {
  const text = JSON.stringify({
    CONFIG: { LONDONBLOCK: 0, Shanghaitime: 5, Quoin: { x: 1 }, ibft2: {} },
    gasLimit: '1',
    difficulty: '0',
  })
  const { text: after } = plan({}, { text })
  expect(JSON.parse(after).CONFIG).toEqual({
    ...{ LONDONBLOCK: 0, Shanghaitime: 5, Quoin: { x: 1, placeSystemContracts: true }, ibft2: {} },
    ...{ cancunTime: Number(at), pragueTime: Number(at) },
  })
})

test('numbers stay as they are written', () => {
  const text =
    '{"config":{"londonBlock":0,"clique":{}},"gasLimit":"0x1","difficulty":"0x1","alloc":{"01":{"balance":"0x7"}},"n":123456789012345678901234567890}'
  expect(plan({}, { text }).text).toContain('123456789012345678901234567890')
})

test('without a time it is a full hour in a week', () => {
  const { config } = plan(london, { at: undefined })
  const chosen = BigInt(config.pragueTime)
  expect(chosen % 3600n).toBe(0n)
  expect(chosen - now).toBeGreaterThan(7n * day)
  expect(chosen - now).toBeLessThanOrEqual(7n * day + 3600n)
})

test.each<[string, object, Partial<UpgradeWish>, string]>([
  ['is there', { ...london, pragueTime: 5 }, {}, 'pragueTime is in the genesis file'],
  ['has no London', { berlinBlock: 0, qbft: {} }, {}, 'the network has to be at London first'],
  ['is too early', london, { at: now + 60n }, 'is too early'],
  ['is before another', { ...london, shanghaiTime: Number(at) + 5 }, {}, 'is before a fork that the file names'],
  ['has a fixed base fee', { ...london, fixedBaseFee: true }, { oldestBesu: 2608 }, 'fixedBaseFee'],
  ['is of miners', { londonBlock: 0, ethash: {} }, {}, 'only networks of Clique'],
  [
    'stops old Besu',
    { ...london, pragueTime: Number(at) - 9 },
    { to: 'osaka', oldestBesu: 2512 },
    'its contracts are missing',
  ],
])('what %s is refused', (_, config, wish, text) => expect(() => plan(config, wish)).toThrow(text))

test('times and versions', () => {
  expect(parseTime('1800000000')).toBe(now)
  expect(parseTime('2027-01-15T08:00:00Z')).toBe(now)
  expect(() => parseTime('soon')).toThrow('soon')
  expect(['25.12', 'v26.8.0', '24.1.2'].map(parseBesu)).toEqual([2512, 2608, 2401])
  expect(() => parseBesu('26')).toThrow('26')
})
