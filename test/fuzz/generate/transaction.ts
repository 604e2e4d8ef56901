import type { Rules } from '../../../src/forks/rules.ts'
import { type Address, toHash32 } from '../../../src/primitives/bytes.ts'
import { maxU64 } from '../../../src/primitives/u256.ts'
import { signAuthorization } from '../../../src/types/signTx.ts'
import type { AccessList, Authorization, Tx } from '../../../src/types/transaction.ts'
import { floorGasOf, intrinsicGasOf } from '../../oracle/txGas.ts'
import { addressBytes, wordBytes } from '../../oracle/words.ts'
import type { Random } from '../random.ts'
import type { ScenarioTx } from '../scenario.ts'
import { initCode } from './initCode.ts'
import { authorities, senders } from './keys.ts'
import { allParts } from './program.ts'
import { anyAddress, type Surroundings } from './surroundings.ts'
import { interestingWord, slot } from './values.ts'

/** A transaction that is valid as a rule; `nonceOf` counts the senders' nonces up. */
export function transaction(random: Random, around: Surroundings, nonceOf: (sender: bigint) => bigint): ScenarioTx {
  const { rules } = around
  const type = random.percent(99) ? random.below(rules.maxTxType + 1) : random.below(3)
  const sender = random.pick(senders).address
  // Types 3 and 4 cannot create.
  const to = type < 3 && random.percent(12) ? undefined : addressBytes(callee(random, around))
  const common = {
    nonce: nonceOf(sender),
    gasLimit: 0n,
    value: random.percent(60) ? 0n : BigInt(random.below(1000)),
    data: to === undefined ? initCode(random, around, allParts) : random.bytes(random.pick([0, 0, 4, 36, 100])),
    r: 1n,
    s: 1n,
  }
  const plain = ofType(random, type as Tx['type'], { ...common, to }, around)
  const tx = { ...plain, gasLimit: gasLimit(random, plain, rules) }
  return { tx: random.percent(98) ? tx : spoil(random, tx, rules), sender }
}

type Common = Pick<Tx, 'nonce' | 'gasLimit' | 'to' | 'value' | 'data' | 'r' | 's'>

function ofType(random: Random, type: Tx['type'], common: Common, around: Surroundings): Tx {
  const gasPrice = BigInt(random.between(10, 20))
  if (type === 0) return { type, ...common, gasPrice, v: 27n }
  const typed = { ...common, chainId: 1n, yParity: 0, accessList: accessList(random, around) }
  if (type === 1) return { type, ...typed, gasPrice }
  const fees = { maxFee: gasPrice, maxPriorityFee: BigInt(random.below(10)) }
  if (type === 2) return { type, ...typed, ...fees }
  if (type === 3) return { type, ...typed, ...fees, maxBlobFee: 1000n, blobHashes: blobHashes(random) }
  return { type, ...typed, ...fees, authorizations: authorizations(random, around) }
}

/** The same transaction with one thing wrong. */
function spoil(random: Random, tx: Tx, rules: Rules): Tx {
  const floor = floorGasOf(tx, rules)
  const wrong: Partial<Tx>[] = [
    { nonce: tx.nonce + 1n },
    { nonce: maxU64 },
    { gasLimit: intrinsicGasOf(tx, rules) - 1n },
    { gasLimit: floor },
    { gasLimit: floor > 0n ? floor - 1n : 0n },
    { gasLimit: 1n << 24n },
    { gasLimit: (1n << 24n) + 1n },
    { gasLimit: 100_000_001n },
    { value: 10n ** 20n },
    { data: new Uint8Array(2 * 24_576 + random.below(2)) },
    { maxPriorityFee: 1000n },
    { maxFee: 0n, maxPriorityFee: 0n },
    { maxBlobFee: 0n },
    { blobHashes: [] },
    { blobHashes: Array.from({ length: random.between(6, 10) }, () => wordBytes(1n << 248n)) },
    { authorizations: [] },
  ]
  const fitting = wrong.filter((fields) => Object.keys(fields).every((name) => name in tx))
  return { ...tx, ...random.pick(fitting) } as Tx
}

function callee(random: Random, around: Surroundings): bigint {
  return random.weighted([
    [80, () => random.pick(around.contracts)],
    [10, () => random.pick(authorities).address],
    [10, () => anyAddress(random, around)],
  ])()
}

/** Enough for a start and then much, little or none; rarely enough for a thousand frames. */
function gasLimit(random: Random, tx: Tx, rules: Rules): bigint {
  const intrinsic = intrinsicGasOf(tx, rules)
  const floor = floorGasOf(tx, rules)
  const start = intrinsic > floor ? intrinsic : floor
  const more = random.weighted([
    [62, () => random.between(150_000, 1_000_000)],
    [19, () => random.between(20_000, 150_000)],
    [10, () => random.below(20_000)],
    [8, () => random.between(1_000_000, 3_000_000)],
    [1, () => 12_000_000],
  ])()
  return start + BigInt(more)
}

function accessList(random: Random, around: Surroundings): AccessList {
  return Array.from({ length: random.pick([0, 0, 1, 2, 3]) }, () => ({
    address: addressBytes(anyAddress(random, around)),
    slots: Array.from({ length: random.below(3) }, () => wordBytes(slot(random))),
  }))
}

function blobHashes(random: Random) {
  return Array.from({ length: random.between(1, 3) }, () => {
    const hash = random.bytes(32)
    if (random.percent(99)) hash[0] = 1
    return toHash32(hash)
  })
}

function authorizations(random: Random, around: Surroundings): Authorization[] {
  return Array.from({ length: random.between(1, 3) }, () => {
    const { privateKey } = random.pick(random.percent(90) ? authorities : senders)
    const wish = {
      chainId: random.weighted([
        [45, 0n],
        [50, 1n],
        [5, 2n],
      ]),
      address: random.percent(10) ? (new Uint8Array(20) as Address) : addressBytes(anyAddress(random, around)),
      nonce: random.weighted([
        [60, 0n],
        [30, 1n],
        [9, 2n],
        [1, maxU64],
      ]),
    }
    const signed = signAuthorization(wish, privateKey)
    return random.percent(97) ? signed : { ...signed, s: interestingWord(random) }
  })
}
