import { join } from 'node:path'
import { fromHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { fromBase64 } from '../../src/privacy/enclave/base64.ts'
import type { Enclave } from '../../src/privacy/enclave/enclave.ts'
import { privateContractAddress } from '../../src/privacy/enclave/groupId.ts'
import { createGroupStates } from '../../src/privacy/execution/groupStates.ts'
import { createPrivateExecutor } from '../../src/privacy/execution/privateExecutor.ts'
import { privateReceiptsIn } from '../../src/privacy/execution/privateReceipts.ts'
import { createPrivateChain } from '../../src/privacy/following/createPrivateChain.ts'
import type { PrivateChain } from '../../src/privacy/following/privateChain.ts'
import { privacyPrecompile } from '../../src/privacy/sending/markers.ts'
import { type PrivateRecipients, txGroupId } from '../../src/privacy/sending/privateTx.ts'
import type { Manager } from '../../src/privacyManager/createManager.ts'
import type { Block } from '../../src/types/block.ts'
import { createManagers, type Managers } from './managers.ts'
import { createManualClock, type ManualClock } from './manualClock.ts'
import { signPrivate } from './signPrivate.ts'
import { createSilentLogs } from './silentLogs.ts'
import { devSpec, devTx, makeBlock, openTestChain, type TestChain } from './testChain.ts'

/** A member of a network of private transactions: a chain and private states on disk, beside a manager. */
export interface Party {
  readonly chain: TestChain
  readonly follower: PrivateChain
  readonly clock: ManualClock
  /** The manager tells this party of arrivals from now on. */
  listen(manager: Manager): void
  rootAt(group: Uint8Array, block: number): Uint8Array
  /** The statuses of a group's private transactions, in order. */
  statuses(group: Uint8Array): number[]
  /** Lets time pass until the group has executed a block. */
  reach(group: Uint8Array, block: number): Promise<void>
  close(): Promise<void>
}

export interface PrivateParties {
  readonly managers: Managers
  /** Opens a party whose manager is what `enclave` returns at the time of each call. */
  open(name: string, enclave: () => Enclave): Party
  /** Makes a block at the first party, and imports it at all others. */
  makeBlock(keys?: readonly Uint8Array[]): Block
  stopAll(): Promise<void>
}

/** Init code of a contract that adds one to its first slot and emits a log, each time that it is called. */
const counterInit = fromHex('0x600f600c600039600f6000f360016000540160005560206000a000')
/** An account that sends private transactions. */
const account = new Uint8Array(32).fill(7)

/** A private transaction of the account: the first one of a group creates the counter, the others call it. */
export function counting(privateFrom: string, recipients: PrivateRecipients, nonce: bigint): Uint8Array {
  const from = fromBase64(privateFrom)!
  const group = txGroupId({ privateFrom: from, recipients })
  const to = nonce === 0n ? undefined : privateContractAddress(privateKeyToAddress(account), 0n, group)
  const data = nonce === 0n ? counterInit : new Uint8Array(0)
  return signPrivate({ nonce, to, data, privateFrom: from, recipients }, devSpec.chainId, account)
}

export function createPrivateParties(folder: string): PrivateParties {
  const managers = createManagers(join(folder, 'managers'))
  const parties: Party[] = []
  let publicNonce = 0n

  return {
    managers,
    open(name, current) {
      const chain = openTestChain(devSpec, join(folder, name))
      const clock = createManualClock(0)
      const groups = createGroupStates(chain.store)
      const enclave: Enclave = {
        send: (...args) => current().send(...args),
        receive: (...args) => current().receive(...args),
        createGroup: (...args) => current().createGroup(...args),
        deleteGroup: (...args) => current().deleteGroup(...args),
        findGroups: (...args) => current().findGroups(...args),
        retrieveGroup: (...args) => current().retrieveGroup(...args),
      }
      const kind = 'managed'
      const consensus = { beneficiary: () => undefined }
      const executor = createPrivateExecutor({ consensus, standardFrom: undefined, kind })
      const log = createSilentLogs()
      const ports = { chain: chain.chain, store: chain.store, groups, executor, enclave, clock, log }
      const follower = createPrivateChain({ ...ports, kind, ownKeys: [] })
      follower.start()
      const party: Party = {
        chain,
        follower,
        clock,
        listen: (manager) => manager.onArrival(follower.onArrival),
        rootAt: (group, block) => chain.store.read((reader) => groups.rootAt(reader, group, block)),
        statuses: (group) =>
          chain.store.read((reader) =>
            [...privateReceiptsIn(reader, group, 0, 1000)].map(({ receipt }) => receipt.status),
          ),
        async reach(group, block) {
          let isThere = false
          const asked = follower.reach(group, BigInt(block))
          asked.then(
            () => (isThere = true),
            () => {},
          )
          await new Promise(setImmediate)
          if (isThere) return
          clock.run(10_000)
          // Requests to managers take their time.
          await new Promise((resolve) => setTimeout(resolve, 5))
          await asked.catch(() => party.reach(group, block))
        },
        async close() {
          await follower.stop()
          await chain.close()
        },
      }
      parties.push(party)
      return party
    },
    makeBlock(keys = []) {
      const txs = keys.map((data) => devTx(publicNonce++, { to: privacyPrecompile, data }))
      const [first, ...others] = parties
      const block = makeBlock(first!.chain.chain, txs)
      for (const other of others) other.chain.chain.importBlock(block)
      return block
    },
    async stopAll() {
      for (const party of parties) await party.close()
      await managers.stopAll()
    },
  }
}
