// The workloads of bench/evm.ts on @ethereumjs/evm. Argument: the file with the workloads. Each line of standard input names
// one; it is run once, from a fresh state, and answered with a line of JSON: gas, CPU seconds, the last output.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { bytesToHex, createAccount, createAddressFromString, hexToBytes, setLengthLeft } from '@ethereumjs/util'

const input = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun })
const caller = createAddressFromString(input.sender)
const word = (n) => hexToBytes(`0x${n.toString(16).padStart(64, '0')}`)

const nobody = createAddressFromString(`0x${'00'.repeat(20)}`)
const block = {
  header: {
    number: 1n,
    timestamp: 1n,
    coinbase: nobody,
    cliqueSigner: () => nobody,
    difficulty: 0n,
    prevRandao: word(0),
    gasLimit: BigInt(input.gas),
    baseFeePerGas: 0n,
    getBlobGasPrice: () => 1n,
  },
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function fill(state, accounts) {
  for (const [text, { code, balance = '0x0', storage = {}, filledSlots = 0 }] of Object.entries(accounts)) {
    const address = createAddressFromString(text)
    await state.putAccount(address, createAccount({ nonce: 1n, balance: BigInt(balance) }))
    if (code) await state.putCode(address, hexToBytes(code))
    for (const [slot, value] of Object.entries(storage))
      await state.putStorage(address, setLengthLeft(hexToBytes(slot), 32), hexToBytes(value))
    for (let i = 0; i < filledSlots; i++) await state.putStorage(address, word(i), word(i + 1))
  }
  state.originalStorageCache.clear()
}

async function run({ name, accounts, calls }) {
  const stateManager = new SimpleStateManager({ common })
  const evm = await createEVM({ common, stateManager })
  await fill(stateManager, accounts)
  const prepared = calls.map(({ to, data }) => ({ to: to && createAddressFromString(to), data: hexToBytes(data) }))
  let gas = 0n
  let output = new Uint8Array()
  const started = cpuSeconds()
  for (const { to, data } of prepared) {
    // A transaction finds these warm.
    for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address)
    for (const address of [caller, nobody, to]) if (address) evm.journal.addWarmedAddress(address.bytes)
    const message = { caller, origin: caller, to, data, gasLimit: BigInt(input.gas), gasPrice: 0n, block }
    const { execResult } = await evm.runCall(message)
    if (execResult.exceptionError) throw new Error(`${name}: ${execResult.exceptionError.error}`)
    await evm.journal.cleanup()
    stateManager.originalStorageCache.clear()
    gas += execResult.executionGasUsed
    output = execResult.returnValue
  }
  return { gas: Number(gas), seconds: cpuSeconds() - started, output: bytesToHex(output) }
}

for await (const name of createInterface({ input: process.stdin }))
  process.stdout.write(JSON.stringify(await run(input.workloads.find((workload) => workload.name === name))) + '\n')
