import { afterEach, beforeEach, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../test/support/manualClock.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { devSpec, devTx, makeBlock, openTestChain, removeFolder, type TestChain } from '../../test/support/testChain.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { curve } from '../primitives/secp256k1.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { toBase64 } from './base64.ts'
import { type Enclave, EnclaveError, type ReceivedPayload } from './enclave.ts'
import { createGroupStates, type GroupStates } from './groupStates.ts'
import { privacyPrecompile } from './markers.ts'
import { createPrivateChain, type PrivateChain } from './privateChain.ts'
import { createPrivateExecutor } from './privateExecutor.ts'
import { encodePrivateTx, privateSigningHash, txGroupId } from './privateTx.ts'

const party = new Uint8Array(32).fill(1)
const recipients = { privateFor: [party] }
const group = txGroupId({ privateFrom: party, recipients })

/** A private transaction that creates an empty contract. */
function creation(nonce: bigint): Uint8Array {
  const fields = { nonce, gasPrice: 0n, gasLimit: 1n, to: undefined, value: 0n, data: new Uint8Array(0) }
  const tx = { ...fields, v: 27n, privateFrom: party, recipients, restriction: 'restricted' }
  const { rs, parity } = curve.sign(privateSigningHash(tx), party)
  const [r, s] = [bytesToBigInt(rs.subarray(0, 32)), bytesToBigInt(rs.subarray(32))]
  return encodePrivateTx({ ...tx, v: 27n + BigInt(parity), r, s })
}

let here: TestChain
let clock: ManualClock
let payloads: Map<string, ReceivedPayload>
let isDown: boolean
let groups: GroupStates
let follower: PrivateChain

const nobody = () => Promise.reject(new Error('not asked for'))
const enclave: Enclave = {
  ...{ send: nobody, createGroup: nobody, deleteGroup: nobody, findGroups: nobody, retrieveGroup: nobody },
  async receive(key) {
    if (isDown) throw new EnclaveError({ code: 'ENCLAVE_UNAVAILABLE', text: 'down' })
    const found = payloads.get(toBase64(key))
    if (!found) throw new EnclaveError({ code: 'ENCLAVE_REFUSED', status: 404, text: 'not found' })
    return found
  },
}

/** The marker of a private transaction that the manager has. */
function mark(publicNonce: bigint, payload: Uint8Array) {
  const key = keccak256(payload)
  payloads.set(toBase64(key), { payload, privacyGroupId: toBase64(group), senderKey: toBase64(party) })
  return devTx(publicNonce, { to: privacyPrecompile, data: key })
}

const rootAt = (block: number) => here.store.read((reader) => groups.rootAt(reader, group, block))

function start(): PrivateChain {
  const consensus = { beneficiary: () => undefined }
  const executor = createPrivateExecutor({ consensus, exactFrom: undefined })
  const { chain, store } = here
  const log = createSilentLogs()
  const made = createPrivateChain({ chain, store, groups, executor, enclave, clock, log })
  made.start()
  return made
}

beforeEach(() => {
  here = openTestChain()
  clock = createManualClock(0)
  payloads = new Map()
  isDown = false
  groups = createGroupStates(here.store)
  follower = start()
})

afterEach(async () => {
  follower.stop()
  await here.close()
  removeFolder(here.path)
})

test('blocks are imported while the manager is down; private transactions follow when it is back', async () => {
  isDown = true
  makeBlock(here.chain, [mark(0n, creation(0n))])
  makeBlock(here.chain, [mark(1n, creation(1n))])
  makeBlock(here.chain)
  expect(here.chain.head().header.number).toBe(3n)
  // The first attempt has failed by then.
  await new Promise((resolve) => setImmediate(resolve))
  expect(follower.position()).toBe(0)
  const asked = follower.reach(3n)
  clock.run(10_000)
  await expect(asked).rejects.toMatchObject({ at: { code: 'PRIVATE_STATE_BEHIND', at: 0n, wanted: 3n } })

  isDown = false
  clock.run(10_000)
  await follower.reach(3n)
  expect(rootAt(0)).toEqual(emptyTrieRoot)
  expect(rootAt(1)).not.toEqual(emptyTrieRoot)
  expect(rootAt(2)).not.toEqual(rootAt(1))
  expect(rootAt(3)).toEqual(rootAt(2))
})

test('what others do in private is passed over', async () => {
  makeBlock(here.chain, [devTx(0n, { to: privacyPrecompile, data: new Uint8Array(32) })])
  await follower.reach(1n)
  expect(rootAt(1)).toEqual(emptyTrieRoot)
})

test('a reorganisation undoes private state, and the other branch is executed', async () => {
  const there = openTestChain(devSpec)
  const first = mark(0n, creation(0n))
  there.chain.importBlock(makeBlock(here.chain, [first]))
  makeBlock(here.chain, [mark(1n, creation(1n))])
  await follower.reach(2n)
  const [one, two] = [rootAt(1), rootAt(2)]
  expect(two).not.toEqual(one)
  for (let n = 0; n < 2; n++)
    here.chain.importBlock(makeBlock(there.chain, [], n === 0 ? { timestamp: 1_900_000_000n } : {}))
  await follower.reach(3n)
  expect(rootAt(3)).toEqual(one)
  await there.close()
  removeFolder(there.path)
})

test('a node that starts again goes on where it was', async () => {
  makeBlock(here.chain, [mark(0n, creation(0n))])
  await follower.reach(1n)
  const root = rootAt(1)
  follower.stop()
  makeBlock(here.chain, [mark(1n, creation(1n))])
  follower = start()
  await follower.reach(2n)
  expect(rootAt(1)).toEqual(root)
  expect(rootAt(2)).not.toEqual(root)
})
