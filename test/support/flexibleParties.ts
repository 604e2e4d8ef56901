import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainView } from '../../src/chain/view.ts'
import { concatBytes, emptyBytes, type Hash32, zeroHash } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { fromBase64, toBase64 } from '../../src/privacy/enclave/base64.ts'
import { type Enclave, EnclaveError, type ReceivedPayload } from '../../src/privacy/enclave/enclave.ts'
import { createGroupStates } from '../../src/privacy/execution/groupStates.ts'
import { createPrivateExecutor } from '../../src/privacy/execution/privateExecutor.ts'
import { createFlexibleDistribution } from '../../src/privacy/flexible/flexibleDistribution.ts'
import { createFlexibleGroups, type FlexibleGroups } from '../../src/privacy/flexible/flexibleGroups.ts'
import { createPrivateChain } from '../../src/privacy/following/createPrivateChain.ts'
import type { PrivateChain } from '../../src/privacy/following/privateChain.ts'
import { createNonceOf, createPrivacy, type Privacy } from '../../src/privacy/privacy.ts'
import { flexiblePrecompile } from '../../src/privacy/sending/markers.ts'
import { createPrivateSender } from '../../src/privacy/sending/sendPrivate.ts'
import { openStore } from '../../src/store/openStore.ts'
import type { Store } from '../../src/store/store.ts'
import { txHash } from '../../src/types/encodeTx.ts'
import type { FlexibleCall } from './flexibleCalls.ts'
import { createManualClock } from './manualClock.ts'
import { signPrivate } from './signPrivate.ts'
import { createSilentLogs } from './silentLogs.ts'
import { devSpec, devTx, makeBlock, openTestChain, removeFolder } from './testChain.ts'

/** A node with private state of its own, whose manager has a single key. */
export interface Party {
  readonly key: Uint8Array
  readonly privacy: Privacy
  readonly enclave: Enclave
  readonly flexible: FlexibleGroups
  readonly store: Store
  readonly follower: PrivateChain
  /** Distributes a private transaction; returns what its marker has to carry. */
  distribute(group: Uint8Array, call: FlexibleCall): Promise<Uint8Array>
  rootAt(group: Uint8Array, block: number): Hash32
  members(group: Uint8Array): Promise<readonly string[] | undefined>
  /** The status of the receipt; undefined if this party did not execute the transaction. */
  status(marker: Hash32): Promise<number | undefined>
}

/** Parties of one public chain. */
export interface Parties {
  readonly parties: readonly Party[]
  /** Puts markers that carry this into one block, which every party executes; returns their hashes. */
  mine(...carried: readonly Uint8Array[]): Promise<readonly Hash32[]>
  view(): ChainView
  /** Keys of payloads that only their senders have. */
  readonly lost: Set<string>
  /** What a manager answers instead of what was sent to it. */
  readonly replaced: Map<string, Uint8Array>
  close(): Promise<void>
}

/** Starts parties that share a public chain and a manager that lets each see what is for it. */
export function startParties(count: number): Parties {
  const here = openTestChain()
  const folder = mkdtempSync(join(tmpdir(), 'quoin-parties-'))
  const views: ChainView[] = []
  const payloads = new Map<string, ReceivedPayload & { readonly readers: readonly string[] }>()
  const replaced = new Map<string, Uint8Array>()
  const lost = new Set<string>()
  let markers = 0n

  function view(): ChainView {
    const made = here.chain.openView()
    views.push(made)
    return made
  }

  function managerOf(own: string): Enclave {
    const nobody = () => Promise.reject(new Error('not asked for'))
    return {
      ...{ createGroup: nobody, deleteGroup: nobody, findGroups: nobody, retrieveGroup: nobody },
      async send(payload, from, recipients) {
        if (!('to' in recipients)) throw new Error('flexible groups are not known to the manager')
        const key = keccak256(concatBytes(payload, fromBase64(from)!))
        const readers = [from, ...recipients.to]
        payloads.set(toBase64(key), { payload, senderKey: from, privacyGroupId: '', readers })
        return key
      },
      async receive(key) {
        const found = payloads.get(toBase64(key))
        if (!found?.readers.includes(own) || (lost.has(toBase64(key)) && found.senderKey !== own))
          throw new EnclaveError({ code: 'ENCLAVE_REFUSED', status: 404, text: 'not found' })
        return { ...found, payload: replaced.get(toBase64(key)) ?? found.payload }
      },
    }
  }

  function createParty(number: number): Party {
    const key = new Uint8Array(32).fill(number + 1)
    const publicKey = toBase64(key)
    const store = openStore(join(folder, `${number}`))
    const groups = createGroupStates(store)
    const enclave = managerOf(publicKey)
    const kind = 'flexible'
    const executor = createPrivateExecutor({
      consensus: { beneficiary: () => undefined },
      standardFrom: undefined,
      kind,
    })
    const clock = createManualClock(0)
    const follower = createPrivateChain({
      ...{ chain: here.chain, store, groups, executor, enclave, kind, ownKeys: [key], clock },
      log: createSilentLogs(),
    })
    const flexible = createFlexibleGroups({ chain: here.chain, reach: follower.reach, store, groups, executor })
    const distribution = createFlexibleDistribution({ enclave, store, chain: view, flexible })
    const nonceOf = createNonceOf(view, follower, store, groups)
    const sender = createPrivateSender({
      ...{ kind, distribution, isShared: false, nonceOf, chainId: devSpec.chainId, markerKey: undefined, chain: view },
      pool: { submit: () => undefined, nextNonce: () => undefined },
    })
    const privacy = createPrivacy({
      ...{ enclave, publicKey, flexible, store, groups, executor, follower, sender, nonceOf, membership: undefined },
      ownGroups: (own) => flexible.findByMembers([own]),
    })
    follower.start()
    return {
      ...{ key, privacy, enclave, flexible, store, follower },
      async distribute(group, { to, data = emptyBytes, account = 7n }) {
        const secret = bigIntToFixed(account, 32)
        const fields = { nonce: 0n, to, data, privateFrom: key, recipients: { privacyGroupId: group } }
        const nonce = await nonceOf(group, privateKeyToAddress(secret))
        const raw = signPrivate({ ...fields, nonce }, devSpec.chainId, secret)
        return sender.distribute(raw, publicKey)
      },
      rootAt: (group, block) => store.read((reader) => groups.rootAt(reader, group, block)),
      members: async (group) => (await flexible.find(group))?.members,
      async status(marker) {
        const found = await privacy.find(view(), marker)
        return found && privacy.receiptOf(found)?.status
      },
    }
  }

  const parties = Array.from({ length: count }, (_, i) => createParty(i))
  return {
    parties,
    view,
    lost,
    replaced,
    async mine(...carried) {
      const txs = carried.map((data) => devTx(markers++, { to: flexiblePrecompile, data }))
      const { header } = makeBlock(here.chain, txs)
      for (const { follower } of parties) {
        await follower.reach(zeroHash, header.number)
        while (follower.groupsBehind() > 0) await new Promise((resolve) => setImmediate(resolve))
      }
      return txs.map(txHash)
    },
    async close() {
      for (const { follower } of parties) await follower.stop()
      for (const one of views) one.close()
      for (const { store } of parties) await store.close()
      await here.close()
      removeFolder(here.path)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
