import type { Evm } from '../evm/evm.ts'
import type { BlockEnv } from '../evm/message.ts'
import { applyTx } from '../execution/applyTx.ts'
import { blobBaseFeeOf } from '../execution/blobFee.ts'
import { gasPerBlob } from '../execution/intrinsicGas.ts'
import { type Rules, rulesOf } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { toWord } from '../primitives/u256.ts'
import { decodeTx } from '../types/decodeTx.ts'
import type { Log } from '../types/log.ts'
import { encodeLogs } from '../types/receipt.ts'
import { senderOf, signTx } from '../types/signTx.ts'
import type { AccessList, Tx } from '../types/transaction.ts'
import { expectRefusal } from './exceptions.ts'
import { errorOf, expectBytes } from './expect.ts'
import { toBytes, toNumber, toOptionalAddress, toWordBytes } from './json.ts'
import { applyChanges, createMemoryHost, type JsonAccount, type MemoryState, stateRoot } from './memoryState.ts'
import { forkNamed } from './networks.ts'

interface JsonEnv {
  readonly currentBaseFee?: string
  readonly currentCoinbase: string
  readonly currentDifficulty: string
  readonly currentExcessBlobGas?: string
  readonly currentGasLimit: string
  readonly currentNumber: string
  readonly currentRandom?: string
  readonly currentTimestamp: string
}

type JsonAccessList = readonly { readonly address: string; readonly storageKeys: readonly string[] }[]

/** A transaction with several variants of data, gas and value; `indexes` of each post selects one. */
interface JsonTransaction {
  readonly accessLists?: readonly (JsonAccessList | null)[]
  readonly blobVersionedHashes?: readonly string[]
  readonly data: readonly string[]
  readonly gasLimit: readonly string[]
  readonly gasPrice?: string
  readonly maxFeePerBlobGas?: string
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
  readonly nonce: string
  readonly secretKey: string
  readonly to: string
  readonly value: readonly string[]
}

export interface JsonPost {
  readonly expectException?: string
  readonly hash: string
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number }
  readonly logs: string
  readonly txbytes?: string
}

export interface StateTest {
  readonly env: JsonEnv
  readonly pre: Readonly<Record<string, JsonAccount>>
  readonly transaction: JsonTransaction
  readonly post: Readonly<Record<string, readonly JsonPost[]>>
}

const chainId = 1n
const defaultBaseFee = '0x0a'

function readAccessList(list: JsonAccessList): AccessList {
  return list.map(({ address, storageKeys }) => ({
    address: toBytes(address) as Address,
    slots: storageKeys.map(toWordBytes),
  }))
}

/** Builds and signs the selected transaction; its fields determine its type. */
function buildTx(json: JsonTransaction, { data, gas, value }: JsonPost['indexes']): Tx {
  const list = json.accessLists?.[data]
  const common = {
    nonce: toNumber(json.nonce),
    gasLimit: toNumber(json.gasLimit[gas]!),
    to: toOptionalAddress(json.to),
    value: toNumber(json.value[value]!),
    data: toBytes(json.data[data]!),
  }
  const typed = { ...common, chainId, accessList: readAccessList(list ?? []) }
  const key = toBytes(json.secretKey)
  if (json.maxFeePerGas === undefined) {
    const gasPrice = toNumber(json.gasPrice!)
    if (list) return signTx({ type: 1, gasPrice, ...typed }, key)
    return signTx({ type: 0, gasPrice, chainId: undefined, ...common }, key)
  }
  const fees = { maxFee: toNumber(json.maxFeePerGas), maxPriorityFee: toNumber(json.maxPriorityFeePerGas!) }
  if (json.maxFeePerBlobGas === undefined) return signTx({ type: 2, ...fees, ...typed }, key)
  const blobHashes = (json.blobVersionedHashes ?? []).map(toWordBytes)
  return signTx({ type: 3, ...fees, ...typed, maxBlobFee: toNumber(json.maxFeePerBlobGas), blobHashes }, key)
}

function blockEnv(env: JsonEnv, rules: Rules): BlockEnv {
  const difficulty = toNumber(env.currentDifficulty)
  return {
    number: toNumber(env.currentNumber),
    timestamp: toNumber(env.currentTimestamp),
    beneficiary: toBytes(env.currentCoinbase) as Address,
    gasLimit: toNumber(env.currentGasLimit),
    difficulty,
    prevRandao: env.currentRandom === undefined ? (toWord(difficulty) as Hash32) : toWordBytes(env.currentRandom),
    baseFee: rules.baseFee ? toNumber(env.currentBaseFee ?? defaultBaseFee) : 0n,
    blobBaseFee: blobBaseFeeOf({ excessBlobGas: toNumber(env.currentExcessBlobGas ?? '0x0') }, rules),
    chainId,
  }
}

/** Block hash that the tests define for blocks that do not exist. */
function fakeBlockHash(number: bigint): Hash32 {
  return keccak256(new TextEncoder().encode(number.toString()))
}

/** Runs one variant of a state test and compares the state root and the logs. */
export function runStateTest(test: StateTest, pre: MemoryState, fork: string, post: JsonPost, evm: Evm): void {
  const rules = rulesOf(forkNamed(fork))
  const block = blockEnv(test.env, rules)
  const pool = { gas: block.gasLimit, blobGas: gasPerBlob * BigInt(rules.blobs?.max ?? 0) }
  evm.reset(createMemoryHost(pre, fakeBlockHash))
  evm.setBlock(block, rules)
  let logs: readonly Log[] = []
  const error = errorOf(() => {
    const tx = post.txbytes ? decodeTx(toBytes(post.txbytes)) : buildTx(test.transaction, post.indexes)
    logs = applyTx(evm, tx, senderOf(tx), { block, rules, pool }).logs
  })
  if (post.expectException !== undefined) expectRefusal(error, post.expectException)
  else if (error) throw error

  // The tests pay a reward of zero, which touches the beneficiary.
  evm.beginTx({ origin: block.beneficiary, gasPrice: 0n, blobHashes: [] })
  evm.addBalance(block.beneficiary, 0n)
  evm.endTx()
  expectBytes('logs hash', keccak256(encodeLogs(logs)), toBytes(post.logs))
  expectBytes('state root', stateRoot(applyChanges(pre, evm.changes())), toBytes(post.hash))
}
