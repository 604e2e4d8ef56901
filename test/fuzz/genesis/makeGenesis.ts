import { bftGenesisExtraData } from '../../../src/consensus/bft/extraData.ts'
import { cliqueGenesisExtraData } from '../../../src/consensus/clique/extraData.ts'
import { ibft2Codec } from '../../../src/consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../../src/consensus/qbft/qbftCodec.ts'
import { forks } from '../../../src/forks/table.ts'
import type { Address } from '../../../src/primitives/bytes.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import type { Random } from '../random.ts'

/** Values that people and programs write where a number belongs; some are right. */
const numbers: readonly unknown[] = [
  ...[0, 1, 7, 1024, -1, 1.5, 1e21, 2 ** 53, 2 ** 53 - 1, null, true, [], {}, { toString: 1 }],
  ...['', '0', '0x', '0x0', '0X1f', '1', '010', '-1', '1e3', ' 5', 'ten', '0xzz', '99999999999999999999999'],
  ...[53, 63, 64, 128, 255, 256, 257].flatMap((bits) => [
    `0x${(2n ** BigInt(bits)).toString(16)}`,
    `${2n ** BigInt(bits) - 1n}`,
  ]),
]

const texts: readonly unknown[] = [
  ...['', '0x', '0x0', '0x1', '0x00', 'ab', '0xABC', 'hello', '0xhello', 5, null, [], {}, `0x${'ab'.repeat(20)}`],
  ...[`0x${'cd'.repeat(32)}`, `0x${'ef'.repeat(33)}`, '0x6001600155', `0x${'5b'.repeat(30_000)}`],
]

/** Spellings of few addresses and slots, so that some come twice. */
const addresses: readonly string[] = [
  ...['ab', 'AB', 'aB', 'cd', '00'].flatMap((byte) => [
    byte.repeat(20),
    `0x${byte.repeat(20)}`,
    `0X${byte.repeat(20)}`,
  ]),
  ...['0x1', '1', `0x${'ab'.repeat(19)}a`, `0x${'ab'.repeat(21)}`, '0xgg', '', '__proto__'],
]
const slots: readonly string[] = [
  '0x1',
  '0x01',
  '1',
  '01',
  '0x2',
  `0x${'0'.repeat(64)}`,
  `0x1${'0'.repeat(64)}`,
  '0xzz',
  '0x',
]

const configKeys: readonly string[] = [
  ...forks.map(({ key }) => key),
  ...['chainId', 'terminalTotalDifficulty', 'contractSizeLimit', 'evmStackSize', 'zeroBaseFee', 'shangaiTime'],
  ...['depositContractAddress', 'constantinopleFixBlock', 'bpo1Time', 'ecCurve', 'atlantisBlock', 'ibft'],
]
const consensusKeys: readonly string[] = [
  ...['blockPeriodSeconds', 'epochLength', 'requestTimeoutSeconds', 'blockReward', 'miningBeneficiary', 'startBlock'],
  ...[
    'validatorContractAddress',
    'emptyBlockPeriodSeconds',
    'messageQueueLimit',
    'period',
    'epoch',
    'createEmptyBlocks',
  ],
  ...['fixedDifficulty', 'duplicateMessageLimit', 'futureMessagesMaxDistance'],
]
const headerKeys: readonly string[] = [
  ...['gasLimit', 'difficulty', 'nonce', 'timestamp', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas', 'number'],
  ...['mixHash', 'coinbase', 'parentHash', 'parentBeaconBlockRoot', 'extraData', 'GASLIMIT', 'Difficulty'],
]

/** The text of a genesis file in which a few things are odd; `validator` may make blocks in the networks that have one. */
export function makeGenesis(random: Random, validator: Address): string {
  const kind = random.pick(['qbft', 'ibft2', 'clique', 'ethash', 'none'] as const)
  const config: Record<string, unknown> = { chainId: 1337, ...(kind !== 'none' && { [kind]: section(random, kind) }) }
  for (const fork of forks.slice(1, 1 + random.below(forks.length))) config[fork.key] = 0
  const genesis: Record<string, unknown> = {
    config,
    gasLimit: '0x1fffffffffffff',
    difficulty: '0x1',
    ...(kind === 'qbft' || kind === 'ibft2' ? { mixHash: `0x${istanbul}` } : {}),
    extraData: extraDataOf(random, kind, validator),
    alloc: allocOf(random),
  }
  for (let odd = random.below(3); odd > 0; odd--) spoil(random, genesis, config)
  const text = JSON.stringify(genesis)
  return random.percent(4) ? text.slice(0, random.below(text.length)) : text
}

/** The mix hash of a BFT header. */
const istanbul = '63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365'

const anything = (random: Random): unknown => random.pick(random.percent(60) ? numbers : texts)

function spoil(random: Random, genesis: Record<string, unknown>, config: Record<string, unknown>): void {
  const deed = random.below(10)
  if (deed < 4) genesis[random.pick(headerKeys)] = anything(random)
  else if (deed < 8) config[random.pick(configKeys)] = anything(random)
  else if (deed === 8) config.transitions = { [random.pick(['qbft', 'ibft2'])]: transitionsOf(random) }
  else config.blobSchedule = { [random.pick(['cancun', 'prague', 'osaka', 'bpo1'])]: blobsOf(random) }
}

function section(random: Random, kind: string): object {
  const fields: Record<string, unknown> = kind === 'clique' ? { period: 1 } : { blockPeriodSeconds: 1 }
  for (let odd = random.below(2); odd > 0; odd--) fields[random.pick(consensusKeys)] = anything(random)
  return fields
}

function transitionsOf(random: Random): unknown {
  if (random.percent(10)) return anything(random)
  return Array.from({ length: random.below(4) }, () => ({
    block: random.percent(60) ? random.below(9) : anything(random),
    ...(random.percent(40) && { validators: [random.pick(addresses), random.pick(addresses)] }),
    ...(random.percent(30) && { validatorSelectionMode: random.pick(['contract', 'blockheader', 'odd']) }),
    [random.pick(consensusKeys)]: anything(random),
  }))
}

function blobsOf(random: Random): object {
  const small = () => (random.percent(70) ? random.below(10) : anything(random))
  return { target: small(), max: small(), baseFeeUpdateFraction: random.percent(50) ? 3_338_477 : anything(random) }
}

function extraDataOf(random: Random, kind: string, validator: Address): unknown {
  if (random.percent(8)) return anything(random)
  const list = random.weighted([
    [8, [validator]],
    [1, []],
    [1, [validator, validator]],
  ])
  if (kind === 'clique') return toHex(cliqueGenesisExtraData(list))
  const whole = toHex(bftGenesisExtraData(kind === 'ibft2' ? ibft2Codec : qbftCodec, list))
  return random.percent(5) ? whole.slice(0, random.below(whole.length)) : whole
}

function allocOf(random: Random): unknown {
  if (random.percent(3)) return anything(random)
  const entries = Array.from({ length: random.below(6) }, (): [string, unknown] => {
    const key = random.pick(random.percent(97) ? addresses.slice(0, 15) : addresses)
    return [key, random.percent(4) ? anything(random) : accountOf(random)]
  })
  return Object.fromEntries(entries)
}

function accountOf(random: Random): object {
  const account: Record<string, unknown> = { balance: '0x1000' }
  if (random.percent(8)) account[random.pick(['balance', 'nonce', 'Balance', 'code'])] = anything(random)
  if (random.percent(10)) account.code = '0x6001600155'
  if (random.percent(50))
    account.storage = Object.fromEntries(
      Array.from({ length: random.below(5) }, () => [
        random.pick(random.percent(98) ? slots.slice(0, 6) : slots),
        random.percent(97) ? `0x${random.percent(80) ? 1 : random.below(3)}` : anything(random),
      ]),
    )
  return account
}
