import { expectBytes, expectEqual } from '../../../src/evmtool/expect.ts'
import { toBytes, toNumber } from '../../../src/evmtool/json.ts'
import {
  applyChanges,
  createMemoryHost,
  type JsonAccount,
  readState,
  stateRoot,
} from '../../../src/evmtool/memoryState.ts'
import { rulesOf } from '../../../src/forks/rules.ts'
import { type Address, type Hash32, zeroHash } from '../../../src/primitives/bytes.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { encodeLogs } from '../../../src/types/receipt.ts'
import { engineOf } from '../engines.ts'
import type { Suite, SuiteOptions } from '../suite.ts'

interface VmTest {
  readonly env: {
    readonly currentCoinbase: string
    readonly currentDifficulty: string
    readonly currentGasLimit: string
    readonly currentNumber: string
    readonly currentTimestamp: string
  }
  readonly exec: {
    readonly address: string
    readonly caller: string
    readonly data: string
    readonly gas: string
    readonly gasPrice: string
    readonly origin: string
    readonly value: string
  }
  readonly pre: Readonly<Record<string, JsonAccount>>
  /** These four are absent when the run must fail. */
  readonly gas?: string
  readonly logs?: string
  readonly out?: string
  readonly post?: Readonly<Record<string, JsonAccount>>
}

const rules = rulesOf('frontier')
const fakeBlockHash = (number: bigint): Hash32 => keccak256(new TextEncoder().encode(number.toString()))

function check({ env, exec, pre: json, gas, logs, out, post }: VmTest, { engine: kind }: SuiteOptions): void {
  const pre = readState(json)
  const evm = engineOf(kind)
  evm.reset(createMemoryHost(pre, fakeBlockHash))
  const block = {
    number: toNumber(env.currentNumber),
    timestamp: toNumber(env.currentTimestamp),
    beneficiary: toBytes(env.currentCoinbase) as Address,
    gasLimit: toNumber(env.currentGasLimit),
    difficulty: toNumber(env.currentDifficulty),
    prevRandao: zeroHash,
    baseFee: 0n,
    blobBaseFee: 0n,
    chainId: 1n,
  }
  evm.setBlock(block, rules)
  evm.beginTx({ origin: toBytes(exec.origin) as Address, gasPrice: toNumber(exec.gasPrice), blobHashes: [] })
  const outcome = evm.call({
    from: toBytes(exec.caller) as Address,
    to: toBytes(exec.address) as Address,
    value: toNumber(exec.value),
    data: toBytes(exec.data),
    gas: toNumber(exec.gas),
    transfersValue: false,
  })
  expectEqual('success', outcome.status === 'success', gas !== undefined)
  if (gas === undefined || post === undefined) return
  expectEqual('gas left', outcome.gasLeft, toNumber(gas))
  expectBytes('output', outcome.output, toBytes(out!))
  expectBytes('logs hash', keccak256(encodeLogs(evm.logs())), toBytes(logs!))
  evm.endTx()
  expectBytes('state root', stateRoot(applyChanges(pre, evm.changes())), stateRoot(readState(post)))
}

export const vm: Suite = {
  name: 'vm',
  doc: 'VMTests: bare runs of code under the first rules.',
  async *cases(data, options) {
    for await (const { path, name, test } of data.entries({ bundles: /^vm/, folders: ['VMTests'] }))
      yield { name: `${path} ${name}`, run: () => check(test as VmTest, options) }
  },
}
