import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEvm } from '../../src/evm/createEvm.ts'
import type { Evm } from '../../src/evm/evm.ts'
import type { Host } from '../../src/evm/host.ts'
import type { BlockEnv } from '../../src/evm/message.ts'
import { rulesOf } from '../../src/forks/rules.ts'
import { type Address, emptyBytes, keyOf, zeroAddress, zeroHash } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, hexToHash, toHex } from '../../src/primitives/hex.ts'
import { emptyCodeHash, keccak256 } from '../../src/primitives/keccak.ts'
import { createHost } from '../../src/state/createHost.ts'
import { createStateStore } from '../../src/state/stateStore.ts'
import { openStore } from '../../src/store/openStore.ts'
import type { AccountChange, StateChanges } from '../../src/types/stateChanges.ts'
import { gasOfCall, sender, type Workload, type WorkloadAccount, word } from '../workloads/workload.ts'
import { createCpuClock } from './cpuSeconds.ts'
import type { Runner } from './runner.ts'

const rules = rulesOf('cancun')

const block: BlockEnv = {
  number: 1n,
  timestamp: 1n,
  beneficiary: zeroAddress,
  gasLimit: BigInt(gasOfCall),
  difficulty: 0n,
  prevRandao: zeroHash,
  baseFee: 0n,
  blobBaseFee: 1n,
  chainId: 1n,
}

/** What a round runs on. */
interface OpenState {
  readonly host: Host
  close(): void
}

/** Quoin's engine in this process, over memory or over a node's database. */
export function createQuoinRunner(): Runner {
  const evm = createEvm('fast')
  const cpuSeconds = createCpuClock()
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-evm-'))
  const opened: (() => Promise<void>)[] = []
  const states = new Map<Workload, () => OpenState>()

  function openState(workload: Workload): () => OpenState {
    const changes = changesOf(workload)
    if (!workload.onDisk) return () => ({ host: memoryHost(changes), close() {} })
    const store = openStore(join(folder, workload.name.replaceAll(' ', '-')))
    opened.push(() => store.close())
    store.write((txn) => createStateStore(store).commit(txn, 0, changes))
    // A new one each time: what the last round left in its caches is forgotten.
    return () => {
      const snapshot = store.openSnapshot()
      const view = createStateStore(store).at(snapshot, 'latest')
      return { host: createHost(view, () => undefined), close: () => snapshot.close() }
    }
  }

  return {
    name: 'quoin',
    async run(workload) {
      let open = states.get(workload)
      if (!open) states.set(workload, (open = openState(workload)))
      const { host, close } = open()
      evm.reset(host)
      evm.setBlock(block, rules)
      const calls = workload.calls.map(({ to, data }) => ({
        to: to === undefined ? to : hexToAddress(to),
        data: fromHex(data),
      }))
      let gas = 0n
      let output: Uint8Array = emptyBytes
      const started = cpuSeconds()
      for (const { to, data } of calls) {
        const outcome = transact(evm, to, data)
        if (outcome.status !== 'success') throw new Error(`${workload.name} ends with ${outcome.halt}`)
        gas += BigInt(gasOfCall) - outcome.gasLeft
        output = outcome.output
      }
      const seconds = cpuSeconds() - started
      close()
      return { gas: Number(gas), seconds, output: toHex(output) }
    },
    async close() {
      await Promise.all(opened.map((close) => close()))
      rmSync(folder, { recursive: true })
    },
  }
}

const from = hexToAddress(sender)

function transact(evm: Evm, to: Address | undefined, data: Uint8Array) {
  const gas = BigInt(gasOfCall)
  evm.beginTx({ origin: from, gasPrice: 0n, blobHashes: [] })
  evm.warmAddress(from)
  evm.warmAddress(block.beneficiary)
  if (to) evm.warmAddress(to)
  const nonce = evm.nonce(from)
  if (!to) evm.setNonce(from, nonce + 1n)
  const outcome = to
    ? evm.call({ from, to, value: 0n, data, gas })
    : evm.create({ from, value: 0n, initCode: data, gas, nonce })
  evm.endTx()
  return outcome
}

function changesOf({ accounts }: Workload): StateChanges {
  const codes = Object.values(accounts).flatMap(({ code }) => (code ? [fromHex(code)] : []))
  return {
    accounts: Object.entries(accounts).map(([address, account]) => changeOf(address, account)),
    codes: codes.map((code) => ({ hash: keccak256(code), code })),
  }
}

function changeOf(address: string, { code, balance, storage = {}, filledSlots = 0 }: WorkloadAccount): AccountChange {
  const filled = Array.from({ length: filledSlots }, (_, i): [string, string] => [word(i), word(i + 1)])
  return {
    address: hexToAddress(address),
    account: {
      nonce: 1n,
      balance: BigInt(balance ?? 0),
      codeHash: code ? keccak256(fromHex(code)) : emptyCodeHash,
    },
    wiped: false,
    slots: [...Object.entries(storage), ...filled].map(([slot, value]) => ({
      slot: hexToHash(slot),
      value: fromHex(value),
    })),
  }
}

function memoryHost(changes: StateChanges): Host {
  const accounts = new Map(changes.accounts.map((change) => [keyOf(change.address), change]))
  const slots = new Map(
    changes.accounts.flatMap(({ address, slots }) =>
      slots.map(({ slot, value }) => [keyOf(address) + keyOf(slot), value]),
    ),
  )
  const codes = new Map(changes.codes.map(({ hash, code }) => [keyOf(hash), code]))
  return {
    account(address) {
      const change = accounts.get(keyOf(address))
      return change?.account && { ...change.account, hasStorage: change.slots.length > 0 }
    },
    storage: (address, slot) => slots.get(keyOf(address) + keyOf(slot)) ?? emptyBytes,
    code: (hash) => codes.get(keyOf(hash)) ?? emptyBytes,
    blockHash: () => undefined,
  }
}
