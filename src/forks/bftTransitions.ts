import { type Address, toAddress } from '../primitives/bytes.ts'
import type { BftConfig, BftSettings, BftTransition } from './consensusConfig.ts'
import { GenesisError } from './fault.ts'
import {
  addressMember,
  type GenesisObject,
  integerMember,
  listMember,
  member,
  numberMember,
  objectMember,
  parseBytes,
  toJsonObject,
} from './jsonObject.ts'

interface Entry {
  readonly block: bigint
  readonly fields: GenesisObject
}

function entryOf(value: unknown, key: string): Entry {
  const fields = toJsonObject(value, key)
  const block = numberMember(fields, 'block', 64)
  if (block === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key: `${key}.block` })
  if (block === 0n)
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: `${key}.block`, have: '0', want: 'at least 1' })
  return { block, fields }
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
  { block, fields }: Entry,
  key: string,
  before: BftSettings,
): BftTransition {
  const validators = validatorsOf(fields, key)
  const beneficiary = fields.has('miningbeneficiary')
    ? addressMember(fields, 'miningBeneficiary')
    : before.miningBeneficiary
  return {
    block,
    validators,
    blockPeriodSeconds: integerMember(fields, 'blockPeriodSeconds', before.blockPeriodSeconds, 1),
    emptyBlockPeriodSeconds: kind === 'qbft' ? emptyBlockPeriodOf(fields, before.emptyBlockPeriodSeconds) : undefined,
    blockReward: numberMember(fields, 'blockReward') ?? before.blockReward,
    miningBeneficiary: beneficiary,
    validatorContract: kind === 'qbft' ? contractOf(fields, validators, key, before) : undefined,
  }
}

/** Returns the transitions of a genesis file for a consensus, in the order of their blocks. */
export function bftTransitionsOf(kind: BftConfig['kind'], config: GenesisObject, first: BftSettings): BftTransition[] {
  const key = `transitions.${kind}`
  const section = objectMember(config, 'transitions')
  const entries = (section && listMember(section, kind)) ?? []
  const sorted = entries.map((entry) => entryOf(entry, key)).sort((a, b) => Number(a.block - b.block))
  const list: BftTransition[] = []
  for (const entry of sorted) {
    const last = list.at(-1)
    if (last?.block === entry.block)
      throw new GenesisError({
        code: 'GENESIS_INVALID_VALUE',
        key: `${key}.block`,
        have: String(entry.block),
        want: 'in one entry only',
      })
    list.push(transition(kind, entry, key, last ?? first))
  }
  return list
}

/** Returns the settings in force at a block. */
export function bftSettingsAt(config: BftConfig, number: bigint): BftSettings {
  return config.transitions.findLast(({ block }) => block <= number) ?? config
}

/** Returns the validators that the genesis file sets for exactly this block. */
export function bftValidatorsSetAt({ transitions }: BftConfig, number: bigint): readonly Address[] | undefined {
  return transitions.find(({ block }) => block === number)?.validators
}
