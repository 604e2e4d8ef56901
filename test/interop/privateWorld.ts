import { toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { fromBase64 } from '../../src/privacy/enclave/base64.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import type { Checks } from './checks.ts'
import { type PrivateMember, privateChainId } from './privateNetwork.ts'
import { publicCodes, type Target } from './privatePrograms.ts'
import type { Tally } from './privateRounds.ts'
import { eventually, heightOf, reach } from './rpcNode.ts'

/** Chooses the random transactions. */
export const seed = Number(process.env['QUOIN_SEED'] ?? 1)

/** The key of a member, raw. */
export const bytesOf = (member: PrivateMember) => fromBase64(member.key)!

/** The account that deploys and calls public contracts. */
const publicAccount = bigIntToFixed(99n, 32)

/** Sends a public transaction and waits for its block. */
export async function sendPublic({ node }: PrivateMember, nonce: bigint, to: string | undefined, data: Uint8Array) {
  const target = to === undefined ? undefined : (Buffer.from(to.slice(2), 'hex') as Uint8Array)
  const fields = { type: 0, nonce, gasPrice: 0n, gasLimit: 200_000n, value: 0n, data, chainId: privateChainId } as const
  const tx = signTx({ ...fields, to: target as Parameters<typeof signTx>[0]['to'] }, publicAccount)
  const hash = await node.call<string>('eth_sendRawTransaction', toHex(encodeTx(tx)))
  return eventually('the public transaction is in a block', () =>
    node.call<{ contractAddress: string } | null>('eth_getTransactionReceipt', hash),
  )
}

/** Addresses that private code reads: public contracts, and accounts that do not exist. */
export async function deployPublic(through: PrivateMember): Promise<readonly Target[]> {
  const found: Target[] = []
  for (const [i, code] of publicCodes.entries()) {
    const { contractAddress } = await sendPublic(through, BigInt(i), undefined, code)
    found.push({ address: contractAddress, depth: 0 })
  }
  return [...found, { address: `0x${'ab'.repeat(20)}`, depth: 0 }]
}

/** Blocks of which roots are compared. */
export async function someBlocks(members: readonly PrivateMember[]): Promise<readonly string[]> {
  const head = await heightOf(members[0]!.node)
  await reach(
    members.map(({ node }) => node),
    head,
  )
  return Array.from({ length: 12 }, (_, i) => `0x${Math.floor((head * (i + 1)) / 12).toString(16)}`)
}

/** Tells what random transactions came to. */
export function tell(checks: Checks, what: string, { sent, statuses }: Tally): void {
  checks.note(`${what}: ${sent} private transactions, ${JSON.stringify(Object.fromEntries(statuses))}, seed ${seed}`)
}
