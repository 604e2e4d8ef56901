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

function entryOf(value: unknown, key: string, isTime: (value: bigint) => boolean): Entry {
  const fields = toJsonObject(value, key)
  const block = numberMember(fields, 'block', 64)
  if (block === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key: `${key}.block` })
  if (block === 0n)
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: `${key}.block`, have: '0', want: 'at least 1' })
  return { block, byTime: isTime(block), fields }
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
  { block, byTime, fields }: Entry,
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
    validators,
    ...bftPeriodOf(fields, before),
    perTxGasLimit: numberMember(fields, 'perTxGasLimit', 63) ?? before.perTxGasLimit,
    emptyBlockPeriodSeconds: kind === 'qbft' ? emptyBlockPeriodOf(fields, before.emptyBlockPeriodSeconds) : undefined,
    blockReward: numberMember(fields, 'blockReward') ?? before.blockReward,
    miningBeneficiary: beneficiary,
    validatorContract: kind === 'qbft' ? contractOf(fields, validators, key, before) : undefined,
  }
}

/**
 * Returns the block period: a validator of Quoin proposes at most once a second, and takes part in what others propose sooner.
 * Besu's name for the period in milliseconds begins with an x, because it is meant for tests.
 */
export function bftPeriodOf(
  fields: GenesisObject,
  before: Pick<BftSettings, 'blockPeriodSeconds' | 'blockPeriodMilliseconds'>,
): Pick<BftSettings, 'blockPeriodSeconds' | 'blockPeriodMilliseconds'> {
  const seconds = integerMember(fields, 'blockPeriodSeconds', before.blockPeriodSeconds, 1)
  const milliseconds = integerMember(fields, 'xBlockPeriodMilliseconds', before.blockPeriodMilliseconds ?? 0, 0)
  if (milliseconds === 0) return { blockPeriodSeconds: seconds, blockPeriodMilliseconds: undefined }
  return { blockPeriodSeconds: Math.ceil(milliseconds / 1000), blockPeriodMilliseconds: milliseconds }
}

/** Seconds that must lie between a block and its parent at least. */
export function minBlockGap({ blockPeriodSeconds, blockPeriodMilliseconds }: BftSettings): bigint {
  if (blockPeriodMilliseconds === undefined) return BigInt(blockPeriodSeconds)
  return BigInt(Math.floor(blockPeriodMilliseconds / 1000))
}

/** No chain has so many blocks, and the time passed it in 2001. */
const surelyTime = 1_000_000_000n

/** Whether the last fork at or below a value is by time, and the value one too for Besu since 26.1, which reads both as one scale. */
function followsTime(config: GenesisObject, value: bigint): boolean {
  let last = { at: 0n, by: 'block' }
  for (const one of activationsOf(config))
    if (one.at <= value && (one.at > last.at || (one.at === last.at && one.by === 'time'))) last = one
  return last.by === 'time'
}

function countsByTime(config: GenesisObject): boolean {
  const own = objectMember(config, 'quoin')
  return own !== undefined && booleanMember(own, 'transitionsByTime', false)
}

function entriesOf(config: GenesisObject, kind: string): Entry[] {
  const key = `transitions.${kind}`
  const section = objectMember(config, 'transitions')
  const entries = (section && listMember(section, kind)) ?? []
  const isTime = (value: bigint) => (value >= surelyTime || countsByTime(config)) && followsTime(config, value)
  const sorted = entries.map((entry) => entryOf(entry, key, isTime)).sort((a, b) => Number(a.block - b.block))
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
 * Transitions that are counted by block here, and by time in Besu since 26.1: where a fork by time comes first, "block": 4 is a time
 * there, which every block has passed. `quoin.transitionsByTime` decides; empty if it does, or if there is nothing to decide.
 */
export function unclearTransitions(config: GenesisObject): readonly string[] {
  const own = objectMember(config, 'quoin')
  if (own?.has('transitionsbytime')) return []
  return ['clique', 'ibft2', 'qbft'].flatMap((kind) =>
    entriesOf(config, kind)
      .filter(({ block, byTime }) => !byTime && followsTime(config, block))
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
  for (const { block, byTime, fields } of entriesOf(config, 'clique')) {
    const before = list.at(-1) ?? first
    list.push({
      block,
      byTime,
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

const hasBegun = ({ block, byTime }: TransitionStart, { number, timestamp }: Moment) =>
  block <= (byTime ? timestamp : number)

/** Returns the settings in force at a block. */
export function bftSettingsAt(config: BftConfig, moment: Moment): BftSettings {
  return config.transitions.findLast((one) => hasBegun(one, moment)) ?? config
}

/** Returns the settings of a Clique network in force at a block. */
export function cliqueSettingsAt(config: CliqueConfig, moment: Moment): CliqueSettings {
  return config.transitions.findLast((one) => hasBegun(one, moment)) ?? config
}

/** Returns the validators that the genesis file sets for exactly this block. */
export function bftValidatorsSetAt({ transitions }: BftConfig, number: bigint): readonly Address[] | undefined {
  return transitions.find(({ block, byTime }) => !byTime && block === number)?.validators
}
