import { createEvm } from '../evm/createEvm.ts'
import type { Evm } from '../evm/evm.ts'
import type { BlockEnv, Outcome } from '../evm/message.ts'
import { createChainSpec } from '../forks/chainSpec.ts'
import type { GenesisFile } from '../forks/genesisFile.ts'
import { type Rules, rulesOf, since } from '../forks/rules.ts'
import { type ForkName, forks } from '../forks/table.ts'
import { type Address, concatBytes, emptyBytes, zeroAddress, zeroHash } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { Log } from '../types/log.ts'
import { createMemoryHost, genesisState } from './memoryState.ts'
import { createStepTracer } from './stepTracer.ts'

/** Input of `evm run`. */
export interface CodeRun {
  /** Undefined runs the receiver's code in the prestate. */
  readonly code: Uint8Array | undefined
  /** Whether the code is init code. */
  readonly create: boolean
  readonly input: Uint8Array
  readonly gas: bigint
  readonly value: bigint
  readonly sender: Address
  readonly receiver: Address
  readonly fork: ForkName | undefined
  readonly prestate: GenesisFile | undefined
  /** Called with a line of JSON for every step. */
  readonly onTrace: ((line: string) => void) | undefined
}

export interface CodeResult extends Outcome {
  readonly gasUsed: bigint
  readonly logs: readonly Log[]
}

/** Runs a call as the first of a transaction in a block on the prestate. */
export function runCode(run: CodeRun): CodeResult {
  const { sender, value, prestate } = run
  const { rules, block } = surroundings(prestate, run.fork)
  // The exact build reports the same halt reason as the specification.
  const evm = createEvm('exact', run.onTrace && createStepTracer(run.onTrace))
  evm.reset(createMemoryHost(genesisState(prestate?.alloc ?? []), () => undefined))
  evm.setBlock(block, rules)
  if (run.code && !run.create) evm.setCode(run.receiver, run.code)
  const balance = evm.balance(sender)
  if (balance < value) evm.addBalance(sender, value - balance)
  evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
  if (since(rules, 'berlin')) evm.warmAddress(sender)
  if (since(rules, 'shanghai')) evm.warmAddress(block.beneficiary)
  const outcome = send(evm, run, rules)
  return { ...outcome, gasUsed: run.gas - outcome.gasLeft, logs: evm.logs() }
}

function send(evm: Evm, run: CodeRun, rules: Rules): Outcome {
  const { sender: from, receiver: to, value, gas, input } = run
  if (run.create) return evm.create({ from, value, gas, initCode: concatBytes(run.code ?? emptyBytes, input) })
  if (since(rules, 'berlin')) evm.warmAddress(to)
  return evm.call({ from, to, value, gas, data: input })
}

function surroundings(prestate: GenesisFile | undefined, fork: ForkName | undefined) {
  const spec = prestate && createChainSpec(prestate)
  const position = { number: 0n, timestamp: prestate?.timestamp ?? 0n }
  const rules = fork || !spec ? rulesOf(fork ?? forks.at(-1)!.name) : spec.rulesAt(position)
  const block: BlockEnv = {
    ...position,
    beneficiary: prestate?.beneficiary ?? zeroAddress,
    gasLimit: prestate?.gasLimit ?? 30_000_000n,
    difficulty: prestate?.difficulty ?? 0n,
    prevRandao: prestate?.mixHash ?? zeroHash,
    baseFee: 0n,
    blobBaseFee: 1n,
    chainId: spec?.chainId ?? 1n,
  }
  return { rules, block }
}

/** Formats the result as text or as a line of JSON. */
export function formatResult({ status, halt, output, gasUsed, created, logs }: CodeResult, json: boolean): string {
  const shown = logs.map(({ address, topics, data }) => ({
    address: toHex(address),
    topics: topics.map(toHex),
    data: toHex(data),
  }))
  const contract = created && toHex(created)
  if (json)
    return JSON.stringify({
      status,
      halt,
      gasUsed: `0x${gasUsed.toString(16)}`,
      output: toHex(output),
      ...(contract && { created: contract }),
      logs: shown,
    })
  return [
    `output:   ${toHex(output)}`,
    `gas used: ${gasUsed}`,
    `ended by: ${halt}`,
    ...(contract ? [`created:  ${contract}`] : []),
    ...shown.map(({ address, topics, data }) => `log:      ${[address, ...topics, data].join(' ')}`),
  ].join('\n')
}
