import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { rulesOf, since } from '../../../src/forks/rules.ts'
import { type ForkName, forks } from '../../../src/forks/table.ts'
import { emptyBytes } from '../../../src/primitives/bytes.ts'
import { bytesToBigInt } from '../../../src/primitives/u256.ts'
import { signAuthorization } from '../../../src/types/signTx.ts'
import type { Tx } from '../../../src/types/transaction.ts'
import type { AccountState } from '../../oracle/state.ts'
import { addressBytes, wordBytes } from '../../oracle/words.ts'
import { authorities, senders } from '../generate/keys.ts'
import { createRandom, type Random } from '../random.ts'
import type { Scenario } from '../scenario.ts'
import { type Code, writeCode } from './code.ts'
import { someDeeds } from './deeds.ts'

const sender = senders[0]!.address

/** A world and one transaction in it, whose gas limit is all the gas that an estimate may use. Nothing costs anything. */
export function generateCall(seed: number, only?: ForkName): Scenario {
  const random = createRandom(seed)
  const fork = only ?? random.pick(forks).name
  const rules = rulesOf(fork)
  const addresses = Array.from({ length: random.between(1, 4) }, () => bytesToBigInt(random.bytes(20)))
  const payees = [bytesToBigInt(random.bytes(20)), bytesToBigInt(random.bytes(20))]
  const around = { random, rules, payees }
  const pre = new Map<bigint, AccountState>([
    [sender, account({ balance: 10n ** 20n })],
    [payees[0]!, account({ balance: 1n })],
  ])
  for (const [i, address] of addresses.entries()) {
    const code = contract({ ...around, callees: addresses.slice(i + 1) })
    const storage = new Map([0n, 1n, 2n].filter(() => random.percent(50)).map((slot) => [slot, 1n]))
    pre.set(address, account({ nonce: 1n, balance: 10n ** 18n, code, storage }))
  }
  const block = {
    number: 1000n,
    timestamp: 1_700_000_000n,
    beneficiary: 0xbeefn,
    gasLimit: 30_000_000n,
    difficulty: rules.proofOfStake ? 0n : 131_072n,
    prevRandao: 0n,
    baseFee: 0n,
    excessBlobGas: 0n,
  }
  return { fork, limits: {}, block, pre, txs: [{ tx: transaction({ ...around, callees: addresses }), sender }] }
}

function account(fields: Partial<AccountState>): AccountState {
  return { nonce: 0n, balance: 0n, code: emptyBytes, storage: new Map(), ...fields }
}

type Around = Omit<Code, 'asm' | 'fail'>

/** Mostly a contract that works; sometimes one that uses up all gas it is given, or destroys itself. */
function contract(around: Around): Uint8Array {
  const { random } = around
  const deeds = someDeeds(random, 5)
  return random.weighted([
    [92, () => writeCode(around, deeds)],
    [4, () => writeCode(around, deeds, ({ asm }) => asm.op(op.INVALID))],
    [4, () => writeCode(around, deeds, ({ asm }) => asm.op(op.CALLER, op.SELFDESTRUCT))],
  ])()
}

function transaction(around: Around): Tx {
  const { random, rules } = around
  const creates = random.percent(10)
  const common = {
    nonce: 0n,
    gasLimit: BigInt(random.pick([3_000_000, 10_000_000, 30_000_000])),
    to: creates ? undefined : addressBytes(around.callees[0]!),
    value: BigInt(random.pick([0, 0, 5])),
    data: creates ? writeCode(around, someDeeds(random, 4)) : random.bytes(random.pick([0, 0, 4, 68, 2000])),
    r: 1n,
    s: 1n,
  }
  const typed = { ...common, chainId: 1n, yParity: 0 as const }
  const fees = { maxFee: 0n, maxPriorityFee: 0n }
  const types: (() => Tx)[] = [() => ({ type: 0, ...common, gasPrice: 0n, v: 27n })]
  if (since(rules, 'berlin')) types.push(() => ({ type: 1, ...typed, gasPrice: 0n, accessList: accessList(around) }))
  if (since(rules, 'prague') && !creates)
    types.push(() => ({ type: 4, ...typed, ...fees, accessList: [], authorizations: authorizations(random) }))
  return random.pick(types)()
}

function accessList({ random, callees }: Around) {
  return callees
    .filter(() => random.percent(50))
    .map((address) => ({ address: addressBytes(address), slots: [wordBytes(BigInt(random.below(3)))] }))
}

/** Some are of accounts that exist, for which gas is refunded. */
function authorizations(random: Random) {
  return Array.from({ length: random.between(1, 2) }, () => {
    const { privateKey } = random.pick([...authorities, ...senders])
    return signAuthorization({ chainId: 1n, address: addressBytes(4n), nonce: 0n }, privateKey)
  })
}
