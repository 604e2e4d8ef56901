import { badValue } from './fault.ts'
import { type OptionCodec, oneOf } from './values.ts'

const names = ['DEV', 'ENTERPRISE', 'PRIVATE', 'MINIMALIST_STAKER', 'PERFORMANCE', 'PERFORMANCE_RPC', 'STAKER'] as const
type ProfileName = (typeof names)[number]

const privateNetwork = {
  'remote-connections-limit-enabled': 'false',
  'tx-pool': 'sequenced',
  'tx-pool-no-local-priority': 'true',
  'tx-pool-limit-by-account-percentage': '0.15',
  'rpc-http-max-active-connections': '300',
  'min-gas-price': '0',
}

/** What Besu's profiles set of the options that Quoin honours. What they set besides tunes Besu's storage and sync. */
const settings: Readonly<Record<ProfileName, Readonly<Record<string, string>>>> = {
  // The network that runs without a genesis file anyway.
  DEV: {},
  ENTERPRISE: privateNetwork,
  PRIVATE: privateNetwork,
  MINIMALIST_STAKER: { 'max-peers': '25' },
  PERFORMANCE: {},
  PERFORMANCE_RPC: {},
  STAKER: {},
}

const anyProfile = oneOf(names, 'any case')
const decodeName = (text: string) => anyProfile.decode(text.replaceAll('-', '_'))

/** A profile of Besu; that of a public network is rejected, as the network is. */
export const profile: OptionCodec<ProfileName> = {
  label: 'PROFILE',
  arity: 'one',
  decode(text) {
    const name = decodeName(text)
    if (name === 'STAKER') throw badValue('STAKER is a profile of MAINNET, which is not a private network')
    return name
  },
  encode: (name) => name,
}

/** The options that a profile sets where nothing else does; none for a name that is no profile. */
export function profileSettings(text: string | undefined): ReadonlyMap<string, string> {
  const name = names.find((known) => known === text?.toUpperCase().replaceAll('-', '_'))
  return new Map(name && Object.entries(settings[name]))
}

/** Says that a profile sets nothing that Quoin has. */
export function warnOfProfile(option: string, text: string): string | undefined {
  const name = decodeName(text)
  return name.startsWith('PERFORMANCE')
    ? `Option '--${option}=${name}' has no effect: the database needs no settings, and caches set their size themselves`
    : undefined
}
