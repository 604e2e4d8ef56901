import { opcodes as op } from '../../../src/evm/opcodes.ts'
import type { ForkName } from '../../../src/forks/table.ts'
import { emptyBytes } from '../../../src/primitives/bytes.ts'
import type { Tx } from '../../../src/types/transaction.ts'
import { intrinsicGasOf } from '../../oracle/txGas.ts'
import { addressBytes, wordBytes } from '../../oracle/words.ts'
import { observeOracle } from '../observeOracle.ts'
import { createRandom, type Random } from '../random.ts'
import { rulesIn, type Scenario, type ScenarioTx } from '../scenario.ts'
import { ending } from './endings.ts'
import { senders } from './keys.ts'
import { parts } from './parts.ts'
import { allParts } from './program.ts'
import { generateScenario } from './scenario.ts'
import type { Surroundings } from './surroundings.ts'
import { interestingWord } from './values.ts'
import { createWriter, push } from './writer.ts'

/** Transactions of a sweep at most. */
const maxPlaces = 250

/** A transaction for each position of a contract's code, which jumps there; one goes the contract's own way. */
export function sweepJumps(seed: number, only?: ForkName): Scenario {
  const random = createRandom(seed)
  const scenario = generateScenario(seed, only)
  const known = [...scenario.pre].filter(([, { code }]) => code.length > 0).map(([address]) => address)
  const contract = known.find((address) => senders.every((sender) => sender.address !== address)) ?? 0xc0den
  const others = [...scenario.pre.keys()].filter((address) => address !== contract)
  const around = { rules: rulesIn(scenario), contracts: [contract, ...known], others, nesting: 0 }
  const code = jumper(random, around)
  const gas = BigInt(random.between(30_000, 150_000))
  const first = random.below(Math.max(1, code.length - maxPlaces))
  const inputs: Uint8Array[] = [emptyBytes]
  for (let at = first; at <= code.length && inputs.length < maxPlaces; at++) inputs.push(wordBytes(BigInt(at)))
  const account = { nonce: 1n, balance: 7n, storage: new Map(), ...scenario.pre.get(contract), code }
  const [sender] = senders
  const pre = new Map(scenario.pre).set(contract, account)
  pre.set(sender!.address, { nonce: 0n, balance: 10n ** 20n, code: emptyBytes, storage: new Map() })
  const tx = { type: 0, to: addressBytes(contract), value: 0n, gasPrice: 20n, r: 1n, s: 1n, v: 27n } as const
  const txs = inputs.map((data, nonce): ScenarioTx => {
    const sent: Tx = { ...tx, data, nonce: BigInt(nonce), gasLimit: 0n }
    return { tx: { ...sent, gasLimit: intrinsicGasOf(sent, around.rules) * 2n + gas }, sender: sender!.address }
  })
  return { ...scenario, pre, txs }
}

/** A program that anything may follow, and that jumps to where its input says, if there is one. */
function jumper(random: Random, around: Surroundings): Uint8Array {
  const writer = createWriter(random, around, allParts)
  const { asm } = writer
  const jump = { position: undefined }
  asm.op(op.CALLDATASIZE)
  asm.pushLabel(jump)
  asm.op(op.JUMPI)
  // What looks like a JUMPDEST and is the data of a push.
  asm.push(0x5b5b5bn)
  writer.height = 1
  parts(writer, random.between(3, 20))
  ending(writer)
  asm.place(jump)
  writer.height = 0
  // What it jumps to may need words.
  for (let i = random.below(6); i > 0; i--) push(writer, interestingWord(random))
  const isConditional = random.percent(50)
  if (isConditional) asm.push(1n)
  asm.push(0n)
  asm.op(op.CALLDATALOAD, isConditional ? op.JUMPI : op.JUMP)
  return asm.code()
}

/**
 * The last transaction again and again, with gas that ends at each of its instructions, and then with all of it. Undefined if it runs no code.
 */
export function sweepGas(seed: number, only?: ForkName): Scenario | undefined {
  const random = createRandom(seed)
  const scenario = generateScenario(seed, only)
  const { tx, sender } = scenario.txs.at(-1)!
  const lefts = new Set<bigint>()
  observeOracle(scenario, (index, { depth, gas }) => {
    if (index === scenario.txs.length - 1 && depth === 0) lefts.add(gas)
  })
  if (lefts.size === 0) return undefined
  const intrinsic = intrinsicGasOf(tx, rulesIn(scenario))
  const first = random.below(Math.max(1, lefts.size - maxPlaces))
  const limits = [...lefts]
    .slice(first, first + maxPlaces)
    // Exactly what was paid before, or one more or less.
    .map((left) => tx.gasLimit - left + BigInt(random.between(-1, 1)))
    .filter((limit) => limit >= intrinsic)
  const sweep = [...limits, tx.gasLimit].map((gasLimit, i): ScenarioTx => {
    return { tx: { ...tx, gasLimit, nonce: tx.nonce + BigInt(i) }, sender }
  })
  return { ...scenario, txs: [...scenario.txs.slice(0, -1), ...sweep] }
}
