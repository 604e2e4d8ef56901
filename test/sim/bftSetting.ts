import { type BftConfig, type BftTransition, defaultMessageLimits } from '../../src/forks/consensusConfig.ts'
import type { Random } from '../fuzz/random.ts'
import type { Authority } from '../support/authorityChain.ts'
import type { FaultPlan } from './faults.ts'
import { startTime } from './world.ts'

/** Ways in which a byzantine validator breaks the rules. */
const misdeeds = [
  'silent',
  'equivocate',
  'usurp',
  'double',
  'withhold',
  'lie',
  'invalid',
  'replay',
  'garbage',
  'forge',
  'reuse',
  'badSeal',
] as const
export type Misdeed = (typeof misdeeds)[number]

/** A vote that all operators agree on from some time on. */
interface Campaign {
  readonly at: number
  readonly subject: Authority
  readonly add: boolean
}

/** The network of one run. */
export interface BftSetting {
  readonly config: BftConfig
  /** Everyone, ascending. */
  readonly keys: readonly Authority[]
  /** The validators of the genesis block. */
  readonly first: readonly Authority[]
  readonly campaigns: readonly Campaign[]
  /** By position in `keys`. */
  readonly byzantine: ReadonlyMap<number, ReadonlySet<Misdeed>>
  /** Those whose disks forget the last block in a crash, though not the record; by position, too. */
  readonly forgetful: ReadonlySet<number>
  /** Who decides on a block, where a contract names them and not the blocks before. */
  readonly contract: ((height: bigint) => readonly Authority[]) | undefined
  /** Bytes of the transactions of each block. */
  readonly blockBytes: number
  /** Whether a node sees transactions waiting. */
  readonly hasTransactions: () => boolean
}

const tolerated = (validators: number) => Math.floor((validators - 1) / 3)

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]!)
}

/** Some networks make several blocks a second. */
function drawMilliseconds(random: Random): number | undefined {
  return random.percent(25) ? random.pick([100, 250, 500, 900, 1500]) : undefined
}

function drawTransitions(random: Random, config: BftConfig, sets: readonly (readonly Authority[])[]): BftTransition[] {
  const { blockReward, miningBeneficiary, validatorContract } = config
  return sets.map((set, i) => ({
    block: BigInt(3 + 4 * i + random.below(4)),
    byTime: false,
    noLaterThan: undefined,
    blockPeriodMilliseconds: config.kind === 'qbft' ? drawMilliseconds(random) : config.blockPeriodMilliseconds,
    perTxGasLimit: undefined,
    validators: random.percent(50) ? set.map(({ address }) => address) : undefined,
    blockPeriodSeconds: random.between(1, 2),
    emptyBlockPeriodSeconds: config.kind === 'qbft' && random.percent(50) ? random.between(2, 4) : undefined,
    blockReward,
    miningBeneficiary,
    validatorContract,
  }))
}

/** Everything at once hides what single misdeeds can do: some liars have a plan. */
function drawMisdeeds(random: Random): ReadonlySet<Misdeed> {
  const plan = ['usurp', 'withhold', 'badSeal'] as const
  if (random.percent(40)) return new Set<Misdeed>(['lie', 'reuse', ...plan.filter(() => random.percent(40))])
  return new Set(misdeeds.filter((deed) => random.percent(deed === 'silent' ? 10 : 50)))
}

/** A contract that names others from one block to the next, never too many byzantine ones among them. */
function drawContract(random: Random, keys: readonly Authority[], liars: readonly number[]) {
  const sets = Array.from({ length: 4 }, () => {
    const honest = keys.filter((_, index) => !liars.includes(index) && random.percent(70))
    const few = honest.length > 0 ? honest : [keys.find((_, index) => !liars.includes(index))!]
    const room = Math.floor((few.length - 1) / 2)
    const wrong = liars.slice(0, room).map((index) => keys[index]!)
    return keys.filter((key) => few.includes(key) || wrong.includes(key))
  })
  return (height: bigint) => sets[Number(height % 16n) >> 2]!
}

/** Draws a network whose byzantine members never are more than may be, no matter who is voted in or out. */
export function drawBftSetting(
  random: Random,
  kind: BftConfig['kind'],
  keys: readonly Authority[],
  faults: FaultPlan,
): BftSetting {
  // With fewer validators fewer may be byzantine: often all stay.
  const changes = faults.has('votes') || faults.has('transitions')
  const stay = !changes || keys.length < 4 || (faults.has('byzantine') && random.percent(60))
  const movable = stay ? [] : shuffled(random, keys).slice(0, keys.length > 6 ? 2 : 1)
  const max = tolerated(keys.length - movable.length)
  const order = shuffled(random, [...keys.keys()])
  const liars = order.slice(0, faults.has('byzantine') ? Math.min(max, random.between(1, max)) : 0)
  const without = (some: readonly Authority[]) => keys.filter((key) => !some.includes(key))
  const bare: BftConfig = {
    kind,
    blockPeriodSeconds: 1,
    emptyBlockPeriodSeconds: undefined,
    blockReward: 0n,
    miningBeneficiary: undefined,
    blockPeriodMilliseconds: drawMilliseconds(random),
    perTxGasLimit: undefined,
    validatorContract: undefined,
    epochLength: faults.has('votes') ? random.between(4, 12) : 30_000,
    requestTimeoutSeconds: random.between(2, 3),
    messageLimits: defaultMessageLimits,
    transitions: [],
    successor: undefined,
  }
  const sets = [without(movable.slice(0, 1)), keys]
  return {
    config: { ...bare, transitions: faults.has('transitions') ? drawTransitions(random, bare, sets) : [] },
    keys,
    first: faults.has('votes') && random.percent(50) ? without(movable) : keys,
    campaigns: faults.has('votes')
      ? movable.flatMap((subject) =>
          [0, 1].map((turn) => ({
            at: startTime + turn * 6000 + random.below(6000),
            subject,
            add: random.percent(50),
          })),
        )
      : [],
    byzantine: new Map(liars.map((index) => [index, drawMisdeeds(random)])),
    forgetful: new Set(order.slice(liars.length, max)),
    contract: faults.has('contract') && kind === 'qbft' ? drawContract(random, keys, liars) : undefined,
    blockBytes: faults.blockBytes,
    hasTransactions: () => random.percent(50),
  }
}
