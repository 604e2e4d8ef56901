import { randomBytes } from 'node:crypto'
import type { Address } from '../../src/primitives/bytes.ts'
import { concatBytes } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { fromBase64 } from '../../src/privacy/enclave/base64.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { eventually, type RpcNode } from '../interop/rpcNode.ts'
import type { ContractNetwork } from './contractNetwork.ts'
import { calls } from './flexibleCalls.ts'
import { initCodeOf } from './hostileCode.ts'
import { signPrivate } from './signPrivate.ts'
import { someAtOnce } from './someAtOnce.ts'

/** The result of a private transaction, and the hash of its marker. */
interface Sent {
  readonly marker: string
  readonly status: string
  readonly contractAddress: string
}

/** A flexible group, as the owner sees it over JSON-RPC. */
export interface FlexibleClient {
  /** In base64. */
  readonly id: string
  /** Sends to the group; returns the hash of the marker. */
  send(to: Address | undefined, data: Uint8Array): Promise<string>
  /** The same, and waits for the result. */
  run(to: Address | undefined, data: Uint8Array): Promise<Sent>
  /** Lets other code decide what the group executes. */
  manageBy(runtime: Uint8Array): Promise<Sent>
}

/** Creates a group of some nodes, the first of which owns it. */
export async function createFlexibleGroup(
  { nodes, keys }: Pick<ContractNetwork, 'nodes' | 'keys'>,
  members: readonly number[],
): Promise<FlexibleClient> {
  const owner = nodes[members[0]!]!
  const secret = randomBytes(32)
  const id = randomBytes(32)
  const privateFrom = fromBase64(keys[members[0]!]!)!
  let nonce = 0n

  async function send(to: Address | undefined, data: Uint8Array): Promise<string> {
    const fields = { nonce, to, data, privateFrom, recipients: { privacyGroupId: id } }
    const marker = await owner.call<string>('eea_sendRawTransaction', toHex(signPrivate(fields, 1337n, secret)))
    nonce++
    return marker
  }

  async function run(to: Address | undefined, data: Uint8Array): Promise<Sent> {
    const marker = await send(to, data)
    const receipt = await eventually('the private transaction is executed', () =>
      owner.call<Omit<Sent, 'marker'> | null>('priv_getTransactionReceipt', marker),
    )
    return { marker, ...receipt }
  }

  const { to, data } = calls.add(...members.map((member) => fromBase64(keys[member]!)!))
  // Right after the start the managers do not know each other.
  await eventually('the group is made', () => run(to, data))
  return {
    id: id.toString('base64'),
    send,
    run,
    async manageBy(runtime) {
      const { contractAddress } = await run(undefined, initCodeOf(runtime))
      const upgradeTo = fromHex('0x3659cfe6')
      return run(to, concatBytes(upgradeTo, new Uint8Array(12), hexToAddress(contractAddress)))
    },
  }
}

/** Repeats a marker with new accounts, as anybody can. */
export async function repeatMarker(node: RpcNode, marker: string, count: number): Promise<void> {
  const { to, input } = await eventually('the marker is known', () =>
    node.call<{ to: string; input: string } | null>('eth_getTransactionByHash', marker),
  )
  const fields = { gasPrice: 0n, value: 0n, gasLimit: 60_000n, chainId: 1337n, nonce: 0n }
  const send = async () => {
    const tx = { type: 0 as const, ...fields, to: hexToAddress(to), data: fromHex(input) }
    await node.call('eth_sendRawTransaction', toHex(encodeTx(signTx(tx, randomBytes(32)))))
  }
  await someAtOnce(count, send)
}
