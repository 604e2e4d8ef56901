import type { ChainView } from '../../../chain/view.ts'
import { precompilesOf } from '../../../evm/precompiles/registry.ts'
import { forkIdAt } from '../../../forks/forkId.ts'
import type { Rules } from '../../../forks/rules.ts'
import { type Address, bytesOfKey, toAddress, zeroAddress } from '../../../primitives/bytes.ts'
import { bigIntToFixed } from '../../../primitives/u256.ts'
import { address, data } from '../../codecs/bytes.ts'
import { integer } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { quantity } from '../../codecs/quantity.ts'
import { dictionary, record } from '../../codecs/record.ts'
import { method } from '../../protocol/method.ts'

/** The rules from an activation on. */
interface ForkConfig {
  readonly activationTime: bigint
  readonly rules: Rules
  readonly chainId: bigint
  readonly forkId: number
  readonly depositContract: Address
}

const blobSchedule = record<NonNullable<Rules['blobs']>>('blob schedule', (member) => [
  member('target', integer, ({ target }) => target),
  member('max', integer, ({ max }) => max),
  member('baseFeeUpdateFraction', integer, ({ updateFraction }) => Number(updateFraction)),
])

function precompilesByName(rules: Rules): ReadonlyMap<string, Address> {
  const named = [...precompilesOf(rules)].map(([key, { name }]) => [name, toAddress(bytesOfKey(key))] as const)
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Undefined where blocks call none: Besu leaves the member out. */
function systemContractsOf({ rules, depositContract }: ForkConfig): ReadonlyMap<string, Address> | undefined {
  const contracts = rules.systemContracts
  if (!contracts) return undefined
  const found = new Map<string, Address>()
  found.set('BEACON_ROOTS_ADDRESS', contracts.beaconRoots)
  if (!rules.requests) return found
  return found
    .set('CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS', contracts.consolidationRequests)
    .set('DEPOSIT_CONTRACT_ADDRESS', depositContract)
    .set('HISTORY_STORAGE_ADDRESS', contracts.history)
    .set('WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS', contracts.withdrawalRequests)
}

const forkConfig = record<ForkConfig>('fork configuration', (member) => [
  member('activationTime', integer, ({ activationTime }) => Number(activationTime)),
  member('blobSchedule', nullable(blobSchedule), ({ rules }) => rules.blobs),
  member('chainId', quantity, ({ chainId }) => chainId),
  member('forkId', data, ({ forkId }) => bigIntToFixed(BigInt(forkId), 4)),
  member('precompiles', dictionary(address), ({ rules }) => precompilesByName(rules)),
  member.optional('systemContracts', dictionary(address), systemContractsOf),
])

interface Result {
  readonly current: ForkConfig
  readonly next: ForkConfig | undefined
  readonly last: ForkConfig | undefined
}

const resultObject = record<Result>('configuration', (member) => [
  member('current', forkConfig, ({ current }) => current),
  member('next', nullable(forkConfig), ({ next }) => next),
  member('last', nullable(forkConfig), ({ last }) => last),
])

function configAt(chain: ChainView, activationTime: bigint): ForkConfig {
  const { spec, head } = chain
  const { number, difficulty } = head.header
  const rules = spec.rulesAt({ number, timestamp: activationTime, difficulty })
  const forkId = forkIdAt(spec, chain.hashAt(0n)!, { number, timestamp: activationTime }).hash
  return { activationTime, rules, chainId: spec.chainId, forkId, depositContract: spec.depositContract ?? zeroAddress }
}

/** Not in Besu 23.10 (EIP-7910). */
export const eth_config = method({
  name: 'eth_config',
  doc: 'Returns the current fork configuration, that of the next fork by timestamp, and that of the last configured fork (EIP-7910).',
  needs: ['chain'],
  params: [],
  result: resultObject,
  handler({ chain }) {
    const { activations, blobChanges } = chain.spec
    const times = [
      ...activations.filter(({ by }) => by === 'time').map(({ at }) => at),
      ...blobChanges.map(({ time }) => time),
    ].sort((a, b) => (a < b ? -1 : 1))
    const now = chain.head.header.timestamp
    const current = times.findLast((time) => time <= now) ?? 0n
    const next = times.find((time) => time > now)
    return {
      current: configAt(chain, current),
      next: next === undefined ? undefined : configAt(chain, next),
      last: next === undefined ? undefined : configAt(chain, times.at(-1)!),
    }
  },
})
