import { toBytes, toNumber, toOptionalAddress, toWordBytes } from '../../src/evmtool/json.ts'
import { forkNamed } from '../../src/evmtool/networks.ts'
import { blobBaseFee } from '../../src/execution/blobFee.ts'
import { type Rules, rulesOf, since } from '../../src/forks/rules.ts'
import { emptyBytes, toAddress } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { maxU256 } from '../../src/primitives/u256.ts'
import type { AccessList, Tx } from '../../src/types/transaction.ts'
import { openData } from '../conformance/data.ts'
import type { OracleBlock } from '../oracle/machine.ts'
import { runOracle } from '../oracle/runOracle.ts'
import type { State } from '../oracle/state.ts'
import { stateRoot } from '../oracle/stateRoot.ts'
import { addressNumber } from '../oracle/words.ts'
import type { Tally } from '../support/runCampaign.ts'
import { logsHash } from './logsHash.ts'
import { blockHash } from './scenario.ts'

type Json = Record<string, string>

interface StateTest {
  readonly env: Json
  readonly pre: Record<string, { nonce: string; balance: string; code: string; storage: Json }>
  readonly transaction: Json & {
    readonly data: string[]
    readonly gasLimit: string[]
    readonly value: string[]
    readonly accessLists?: ({ address: string; storageKeys: string[] }[] | null)[]
    readonly blobVersionedHashes?: string[]
  }
  readonly post: Record<string, Expected[]>
}

interface Expected {
  readonly indexes: { data: number; gas: number; value: number }
  readonly hash: string
  readonly logs: string
  readonly expectException?: string
}

/** Checks the oracle itself on the state tests of ethereum/tests: every `every`-th file of the named bundles. */
export async function runOracleStateTests(folder: string, bundles: RegExp, every: number): Promise<Tally> {
  const data = openData(folder, { index: 0, count: 1, every })
  let passed = 0
  let failed = 0
  for await (const { path, name, test } of data.entries({ bundles, folders: ['GeneralStateTests'] })) {
    for (const [fork, list] of Object.entries((test as StateTest).post)) {
      for (const expected of list) {
        const problem = runOne(test as StateTest, fork, expected)
        if (problem === undefined) passed++
        else if (++failed <= 50) {
          const { data, gas, value } = expected.indexes
          process.stdout.write(`${path} ${name} ${fork} d${data} g${gas} v${value}: ${problem}\n`)
        }
      }
    }
  }
  return { passed, failed }
}

/** What is wrong, or undefined. */
function runOne(test: StateTest, fork: string, expected: Expected): string | undefined {
  const rules = rulesOf(forkNamed(fork))
  const pre = stateOf(test.pre)
  const block = blockOf(test.env, rules)
  const tx = txOf(test, expected)
  if (tx.value > maxU256) return expected.expectException ? undefined : 'the value is no word'
  const sender = addressNumber(privateKeyToAddress(toBytes(test.transaction['secretKey']!)))
  const result = runOracle({ pre, block, tx, sender, rules })

  if (expected.expectException)
    return result.status === 'invalid' ? undefined : `valid, not ${expected.expectException}`
  if (result.status === 'invalid') return `invalid: ${result.reason}`
  const root = toHex(stateRoot(withCoinbase(result.post, block, rules)))
  if (root !== expected.hash) return `root ${root}, not ${expected.hash} (${result.status}, gas ${result.gasUsed})`
  const logs = toHex(logsHash(result.logs))
  return logs === expected.logs ? undefined : `logs ${logs}, not ${expected.logs}`
}

/** The tests end with a block reward of zero, which before EIP-161 makes the account that gets it. */
function withCoinbase(state: State, { beneficiary }: OracleBlock, rules: Rules): State {
  if (since(rules, 'spuriousDragon') || state.has(beneficiary)) return state
  return new Map(state).set(beneficiary, { nonce: 0n, balance: 0n, code: emptyBytes, storage: new Map() })
}

function stateOf(json: StateTest['pre']): State {
  return new Map(
    Object.entries(json).map(([address, { nonce, balance, code, storage }]) => {
      const slots = Object.entries(storage).map(([slot, value]) => [toNumber(slot), toNumber(value)] as const)
      const account = { nonce: toNumber(nonce), balance: toNumber(balance), code: toBytes(code) }
      return [toNumber(address), { ...account, storage: new Map(slots.filter(([, value]) => value > 0n)) }]
    }),
  )
}

function blockOf(env: Json, rules: Rules): OracleBlock {
  const number = (name: string) => toNumber(env[name] ?? '0x0')
  return {
    number: number('currentNumber'),
    timestamp: number('currentTimestamp'),
    beneficiary: number('currentCoinbase'),
    gasLimit: number('currentGasLimit'),
    difficulty: number('currentDifficulty'),
    prevRandao: number('currentRandom'),
    baseFee: since(rules, 'london') ? toNumber(env['currentBaseFee'] ?? '0x0a') : 0n,
    blobBaseFee: rules.blobs ? blobBaseFee(number('currentExcessBlobGas'), rules.blobs) : 0n,
    chainId: 1n,
    blockHash,
  }
}

function txOf({ transaction }: StateTest, { indexes }: Expected): Tx {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas, blobVersionedHashes } = transaction
  const common = {
    nonce: toNumber(transaction['nonce']!),
    gasLimit: toNumber(transaction.gasLimit[indexes.gas]!),
    to: toOptionalAddress(transaction['to'] ?? ''),
    value: toNumber(transaction.value[indexes.value]!),
    data: toBytes(transaction.data[indexes.data]!),
    r: 0n,
    s: 0n,
  }
  const list = transaction.accessLists?.[indexes.data]
  const typed = { ...common, chainId: 1n, accessList: accessListOf(list ?? []), yParity: 0 }
  if (maxFeePerGas !== undefined) {
    const fees = { maxFee: toNumber(maxFeePerGas), maxPriorityFee: toNumber(maxPriorityFeePerGas ?? '0x0') }
    if (blobVersionedHashes === undefined) return { type: 2, ...typed, ...fees }
    const blobHashes = blobVersionedHashes.map(toWordBytes)
    return { type: 3, ...typed, ...fees, maxBlobFee: toNumber(maxFeePerBlobGas ?? '0x0'), blobHashes }
  }
  if (list) return { type: 1, ...typed, gasPrice: toNumber(gasPrice!) }
  return { type: 0, ...common, gasPrice: toNumber(gasPrice!), v: 27n }
}

function accessListOf(json: { address: string; storageKeys: string[] }[]): AccessList {
  return json.map(({ address, storageKeys }) => ({
    address: toAddress(toBytes(address)),
    slots: storageKeys.map(toWordBytes),
  }))
}
