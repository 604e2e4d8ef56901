import { rulesOf, since } from '../../../src/forks/rules.ts'
import { type ForkName, forks } from '../../../src/forks/table.ts'
import { concatBytes, emptyBytes } from '../../../src/primitives/bytes.ts'
import { bytesToBigInt, maxU64 } from '../../../src/primitives/u256.ts'
import { delegationTo } from '../../oracle/delegation.ts'
import { createAddress } from '../../oracle/ops/creates.ts'
import type { AccountState } from '../../oracle/state.ts'
import { createRandom, type Random } from '../random.ts'
import type { Scenario, ScenarioBlock } from '../scenario.ts'
import { deepen } from './deepen.ts'
import { authorities, senders } from './keys.ts'
import { mutate } from './mutate.ts'
import { program } from './program.ts'
import { anyAddress, type Surroundings } from './surroundings.ts'
import { tighten } from './tighten.ts'
import { transaction } from './transaction.ts'
import { stored } from './values.ts'

/** The world and the transactions of a seed. */
export function generateScenario(seed: number, only?: ForkName): Scenario {
  const random = createRandom(seed)
  const fork = only ?? pickFork(random)
  const limits = random.percent(97) ? {} : { maxCodeSize: random.between(0, 200), stackSize: random.between(10, 40) }
  const rules = { ...rulesOf(fork), ...limits }
  const anywhere = () => bytesToBigInt(random.bytes(20))
  const contracts = Array.from({ length: random.between(1, 5) }, anywhere)
  const beneficiary = anywhere()
  const plain = [anywhere(), anywhere()]
  // Where the contracts' own creations will be.
  const born = contracts.map((address) => createAddress(address, BigInt(random.between(0, 2))))
  const people = [...senders, ...authorities].map(({ address }) => address)
  const around: Surroundings = { rules, contracts, others: [...plain, ...born, ...people, beneficiary], nesting: 0 }

  const pre = new Map<bigint, AccountState>()
  for (const { address } of senders) pre.set(address, account({ balance: 10n ** 20n }))
  for (const address of contracts) pre.set(address, contract(random, around))
  if (random.percent(70)) pre.set(plain[0]!, account({ balance: BigInt(random.below(3)) }))
  if (random.percent(10)) pre.set(3n, account({}))
  if (random.percent(15)) pre.set(random.pick(born), squatter(random))
  if (since(rules, 'prague')) addDelegations(random, around, pre)
  if (random.percent(1)) pre.set(senders[0]!.address, contract(random, around))

  const nonces = new Map<bigint, bigint>()
  const nonceOf = (sender: bigint) => {
    const nonce = nonces.get(sender) ?? 0n
    nonces.set(sender, nonce + 1n)
    return nonce
  }
  const txs = Array.from({ length: random.between(1, 4) }, () => transaction(random, around, nonceOf))
  const scenario = { fork, limits, block: block(random, fork, beneficiary), pre, txs }
  return random.weighted([
    [795, () => scenario],
    [200, () => tighten(random, scenario)],
    [5, () => deepen(random, scenario, contracts[0]!)],
  ])()
}

/** The same world and transactions under the rules of another fork, so that an engine meets code that it knows. */
export function inOtherFork(seed: number, scenario: Scenario): Scenario {
  const fork = pickFork(createRandom(seed))
  const baseFee = since(rulesOf(fork), 'london') ? scenario.block.baseFee : 0n
  return { ...scenario, fork, block: { ...scenario.block, baseFee } }
}

/** Newer forks more often: they have more to go wrong. */
function pickFork(random: Random): ForkName {
  const newer: readonly ForkName[] = ['berlin', 'london', 'shanghai', 'cancun', 'prague', 'osaka']
  return random.percent(50) ? random.pick(newer) : random.pick(forks).name
}

function account(fields: Partial<AccountState>): AccountState {
  return { nonce: 0n, balance: 0n, code: emptyBytes, storage: new Map(), ...fields }
}

function contract(random: Random, around: Surroundings): AccountState {
  const length = random.weighted([
    [60, random.between(5, 30)],
    [30, random.below(6)],
    [10, random.between(30, 120)],
  ])
  const valid = () => program(random, around, length)
  const code = random.weighted([
    [80, valid],
    [14, () => mutate(random, valid())],
    [5, () => random.bytes(random.below(80))],
    [1, () => concatBytes(valid(), random.bytes(random.below(24_000)))],
  ])()
  const slots = [0n, 1n, 2n, 3n].map((slot) => [slot, stored(random)] as const).filter(([, value]) => value > 0n)
  const nonce = random.percent(98) ? 1n : maxU64 - BigInt(random.below(2))
  return account({ nonce, balance: BigInt(random.below(100)), code, storage: new Map(slots) })
}

/** An account that stands where a contract may want to be: some forbid the creation, some do not. */
function squatter(random: Random): AccountState {
  return random.pick([
    () => account({ balance: 5n }),
    () => account({ nonce: 1n }),
    () => account({ code: Uint8Array.of(0) }),
    () => account({ storage: new Map([[0n, 1n]]), balance: 1n }),
  ])()
}

function addDelegations(random: Random, around: Surroundings, pre: Map<bigint, AccountState>): void {
  for (const { address } of [...authorities, ...senders]) {
    if (random.percent(60)) continue
    const known = pre.get(address)
    const code = random.percent(70) ? delegationTo(anyAddress(random, around)) : emptyBytes
    pre.set(address, account({ balance: 50n, ...known, nonce: known ? 0n : BigInt(random.below(2)), code }))
  }
}

function block(random: Random, fork: ForkName, beneficiary: bigint): ScenarioBlock {
  const rules = rulesOf(fork)
  return {
    number: BigInt(random.pick([1, 200, 256, 257, 300, 1_000_000])),
    timestamp: BigInt(random.between(1_000, 2_000_000_000)),
    beneficiary,
    gasLimit: 100_000_000n,
    difficulty: rules.proofOfStake ? 0n : BigInt(random.between(131_072, 2 ** 31)),
    prevRandao: rules.proofOfStake ? bytesToBigInt(random.bytes(32)) : 0n,
    baseFee: since(rules, 'london') ? BigInt(random.between(1, 9)) : 0n,
    excessBlobGas: rules.blobs ? BigInt(random.below(8_000_000)) : 0n,
  }
}
