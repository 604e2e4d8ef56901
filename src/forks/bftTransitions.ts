import { type Address, toAddress } from '../primitives/bytes.ts'
import { activationsOf } from './activations.ts'
import type {
  BftConfig,
  BftSettings,
  BftTransition,
  CliqueConfig,
  CliqueSettings,
  CliqueTransition,
  TransitionStart,
} from './consensusConfig.ts'
import { GenesisError } from './fault.ts'
import {
  addressMember,
  booleanMember,
  type GenesisObject,
  integerMember,
  listMember,
  member,
  numberMember,
  objectMember,
  parseBytes,
  toJsonObject,
} from './jsonObject.ts'

interface Entry extends TransitionStart {
  readonly fields: GenesisObject
}

function entryOf(value: unknown, key: string, scale: Scale): Entry {
  const fields = toJsonObject(value, key)
  const block = numberMember(fields, 'block', 64)
  if (block === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key: `${key}.block` })
  if (block === 0n)
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: `${key}.block`, have: '0', want: 'at least 1' })
  return { block, ...startOn(scale, block), fields }
}

function validatorsOf(fields: GenesisObject, key: string): readonly Address[] | undefined {
  return listMember(fields, 'validators')?.map((item) => toAddress(parseBytes(item, `${key}.validators`, 20)))
}

/** Returns the validator contract after a transition. As in Besu, an unknown mode changes nothing. */
function contractOf(
  fields: GenesisObject,
  validators: readonly Address[] | undefined,
  key: string,
  before: BftSettings,
) {
  const mode = member(fields, 'validatorSelectionMode')
  switch (typeof mode === 'string' ? mode.toLowerCase() : undefined) {
    case 'blockheader':
      if (!validators?.length) throw new GenesisError({ code: 'GENESIS_MISSING', key: `${key}.validators` })
      return undefined
    case 'contract': {
      const contract = addressMember(fields, 'validatorContractAddress')
      if (!contract) throw new GenesisError({ code: 'GENESIS_MISSING', key: `${key}.validatorContractAddress` })
      return contract
    }
    default:
      return before.validatorContract
  }
}

/** Returns the empty block period; 0 means, as if the key were absent, that empty blocks have no period of their own. */
export function emptyBlockPeriodOf(fields: GenesisObject, before: number | undefined): number | undefined {
  // Besu's own name for it begins with an x.
  const named = integerMember(fields, 'xEmptyBlockPeriodSeconds', before ?? 0, 0)
  return integerMember(fields, 'emptyBlockPeriodSeconds', named, 0) || undefined
}

function transition(
  kind: BftConfig['kind'],
  { block, byTime, noLaterThan, fields }: Entry,
  key: string,
  before: BftSettings,
): BftTransition {
  const validators = validatorsOf(fields, key)
  const beneficiary = fields.has('miningbeneficiary')
    ? addressMember(fields, 'miningBeneficiary')
    : before.miningBeneficiary
  return {
    block,
    byTime,
    noLaterThan,
    validators,
    ...bftPeriodOf(fields, before, kind === 'qbft'),
    perTxGasLimit: numberMember(fields, 'perTxGasLimit', 63) ?? before.perTxGasLimit,
    emptyBlockPeriodSeconds: kind === 'qbft' ? emptyBlockPeriodOf(fields, before.emptyBlockPeriodSeconds) : undefined,
    blockReward: numberMember(fields, 'blockReward') ?? before.blockReward,
    miningBeneficiary: beneficiary,
    validatorContract: kind === 'qbft' ? contractOf(fields, validators, key, before) : undefined,
  }
}

type Periods = Pick<BftSettings, 'blockPeriodSeconds' | 'blockPeriodMilliseconds'>

/** Returns the block period. As in Besu, the one in milliseconds goes before that in seconds, and transitions of IBFT 2.0 do not change it. */
export function bftPeriodOf(fields: GenesisObject, before: Periods, setsMilliseconds = true): Periods {
  const seconds = integerMember(fields, 'blockPeriodSeconds', before.blockPeriodSeconds, 1)
  const former = before.blockPeriodMilliseconds ?? 0
  const milliseconds = setsMilliseconds ? integerMember(fields, 'xBlockPeriodMilliseconds', former, 0) : former
  if (milliseconds === 0) return { blockPeriodSeconds: seconds, blockPeriodMilliseconds: undefined }
  return { blockPeriodSeconds: Math.ceil(milliseconds / 1000), blockPeriodMilliseconds: milliseconds }
}

/** Milliseconds from block to block. */
export function blockPeriodOf({ blockPeriodSeconds, blockPeriodMilliseconds }: Periods): number {
  return blockPeriodMilliseconds ?? blockPeriodSeconds * 1000
}

/** Seconds that must lie between a block and its parent at least. */
export function minBlockGap({ blockPeriodSeconds, blockPeriodMilliseconds }: Periods): bigint {
  if (blockPeriodMilliseconds === undefined) return BigInt(blockPeriodSeconds)
  return BigInt(Math.floor(blockPeriodMilliseconds / 1000))
}

/** No chain has so many blocks, and the time passed it in 2001. */
const surelyTime = 1_000_000_000n

/** Besu puts forks and transitions on one scale, on which a fork by time turns what comes behind it into times. */
interface Scale {
  /** The first fork by time. */
  readonly time: bigint | undefined
  /** Whether numbers of blocks stay such behind it, as they did in Quoin until November 2026. */
  readonly keepsBlocks: boolean
}

function scaleOf(config: GenesisObject): Scale {
  const own = objectMember(config, 'quoin')
  return {
    time: activationsOf(config).find(({ by }) => by === 'time')?.at,
    keepsBlocks: own !== undefined && !booleanMember(own, 'transitionsByTime', true),
  }
}

function startOn({ time, keepsBlocks }: Scale, block: bigint): Omit<TransitionStart, 'block'> {
  if (time === undefined) return { byTime: false, noLaterThan: undefined }
  if (block >= time) return { byTime: block >= surelyTime || !keepsBlocks, noLaterThan: undefined }
  return { byTime: false, noLaterThan: keepsBlocks ? undefined : time }
}

function entriesOf(config: GenesisObject, kind: string): Entry[] {
  const key = `transitions.${kind}`
  const section = objectMember(config, 'transitions')
  const entries = (section && listMember(section, kind)) ?? []
  const scale = scaleOf(config)
  const sorted = entries.map((entry) => entryOf(entry, key, scale)).sort((a, b) => Number(a.block - b.block))
  for (const [i, { block }] of sorted.entries())
    if (sorted[i + 1]?.block === block)
      throw new GenesisError({
        code: 'GENESIS_INVALID_VALUE',
        key: `${key}.block`,
        have: String(block),
        want: 'in one entry only',
      })
  return sorted
}

/**
 * Transitions that look like blocks and are times, as in Besu: behind a fork by time "block": 4 is a time, which every block has
 * passed. `quoin.transitionsByTime` decides; empty if it does, or if there is nothing to decide.
 */
export function unclearTransitions(config: GenesisObject): readonly string[] {
  const own = objectMember(config, 'quoin')
  if (own?.has('transitionsbytime')) return []
  return ['clique', 'ibft2', 'qbft'].flatMap((kind) =>
    entriesOf(config, kind)
      .filter(({ block, byTime }) => byTime && block < surelyTime)
      .map(({ block }) => `transitions.${kind} ${block}`),
  )
}

/** Returns the transitions of a genesis file for a consensus, in the order of their blocks. */
export function bftTransitionsOf(kind: BftConfig['kind'], config: GenesisObject, first: BftSettings): BftTransition[] {
  const list: BftTransition[] = []
  for (const entry of entriesOf(config, kind))
    list.push(transition(kind, entry, `transitions.${kind}`, list.at(-1) ?? first))
  return list
}

/** Returns the transitions of a Clique network, in the order of their blocks. */
export function cliqueTransitionsOf(config: GenesisObject, first: CliqueSettings): CliqueTransition[] {
  const list: CliqueTransition[] = []
  for (const { block, byTime, noLaterThan, fields } of entriesOf(config, 'clique')) {
    const before = list.at(-1) ?? first
    list.push({
      block,
      byTime,
      noLaterThan,
      blockPeriodSeconds: integerMember(fields, 'blockPeriodSeconds', before.blockPeriodSeconds, 1),
      createEmptyBlocks: booleanMember(fields, 'createEmptyBlocks', before.createEmptyBlocks),
    })
  }
  return list
}

/** A block, as far as transitions ask. */
export interface Moment {
  readonly number: bigint
  readonly timestamp: bigint
}

/** The block after a header, as early as it may be. */
export function nextMoment({ number, timestamp }: Moment): Moment {
  return { number: number + 1n, timestamp: timestamp + 1n }
}

const isReached = ({ block, byTime }: TransitionStart, { number, timestamp }: Moment) =>
  block <= (byTime ? timestamp : number)

const hasBegun = (start: TransitionStart, moment: Moment) =>
  isReached(start, moment) || (start.noLaterThan !== undefined && moment.timestamp >= start.noLaterThan)

/** Returns the settings in force at a block. */
export function bftSettingsAt(config: BftConfig, moment: Moment): BftSettings {
  const settings = config.transitions.findLast((one) => hasBegun(one, moment)) ?? config
  // Before its block, which the first fork by time does not wait for, the contract may not be there yet.
  const { validatorContract } = config.transitions.findLast((one) => isReached(one, moment)) ?? config
  return settings.validatorContract === validatorContract ? settings : { ...settings, validatorContract }
}

/** Returns the settings of a Clique network in force at a block. */
export function cliqueSettingsAt(config: CliqueConfig, moment: Moment): CliqueSettings {
  return config.transitions.findLast((one) => hasBegun(one, moment)) ?? config
}

/** Returns the validators that the genesis file sets for exactly this block. */
export function bftValidatorsSetAt({ transitions }: BftConfig, number: bigint): readonly Address[] | undefined {
  return transitions.find(({ block }) => block === number)?.validators
}
