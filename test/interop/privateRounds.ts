import { hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { fromBase64 } from '../../src/privacy/enclave/base64.ts'
import type { PrivateRecipients } from '../../src/privacy/sending/privateTx.ts'
import type { Random } from '../fuzz/random.ts'
import { signPrivate } from '../support/signPrivate.ts'
import type { Checks } from './checks.ts'
import { type PrivateMember, privateChainId } from './privateNetwork.ts'
import { createPrograms, type Target } from './privatePrograms.ts'
import { eventually } from './rpcNode.ts'

/** A group in which private transactions are sent. */
export interface PrivateGroup {
  readonly name: string
  readonly id: string
  members: readonly PrivateMember[]
  /** What a member's transactions name. */
  recipients(from: PrivateMember): PrivateRecipients
  /** Accounts that send, by number. */
  readonly accounts: readonly bigint[]
  readonly contracts: Target[]
}

interface Receipt {
  readonly status: string
  readonly contractAddress?: string | null
  readonly blockNumber: string
}

/** An answer without what one make has and the other leaves out. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name, one]) => one !== null && name !== 'transactionHash')
  return Object.fromEntries(members.map(([name, one]) => [name, plain(one)]).sort(([a], [b]) => (a! < b! ? -1 : 1)))
}

export const accountOf = (account: bigint): string => toHex(privateKeyToAddress(bigIntToFixed(account, 32)))

/** Sends a private transaction through a member; returns the hash of its marker. */
export async function sendPrivate(
  group: PrivateGroup,
  through: PrivateMember,
  account: bigint,
  call: { readonly to?: string; readonly data: Uint8Array; readonly ahead?: bigint },
): Promise<string> {
  const count = await through.node.call<string>('priv_getTransactionCount', accountOf(account), group.id)
  const fields = {
    nonce: BigInt(count) + (call.ahead ?? 0n),
    to: call.to === undefined ? undefined : hexToAddress(call.to),
    data: call.data,
    privateFrom: fromBase64(through.key)!,
    recipients: group.recipients(through),
  }
  const raw = signPrivate(fields, privateChainId, bigIntToFixed(account, 32))
  return through.node.call<string>('eea_sendRawTransaction', toHex(raw))
}

/** The receipt of a marker, which all members must have alike. */
export async function receiptOfAll(checks: Checks, group: PrivateGroup, marker: string): Promise<Receipt> {
  const receipts = await Promise.all(
    group.members.map(({ node }) =>
      eventually(`${node.name} has the receipt`, () => node.call<Receipt | null>('priv_getTransactionReceipt', marker)),
    ),
  )
  const texts = new Set(receipts.map((one) => JSON.stringify(plain(one))))
  if (texts.size > 1) checks.equal(`receipt of ${marker} in ${group.name}`, [...texts], 'one for all')
  return receipts[0]!
}

/** What random transactions came to. */
export interface Tally {
  sent: number
  readonly statuses: Map<string, number>
}

/** Sends one random transaction for each account of each group at a time, until there are enough. */
export async function sendRandom(
  checks: Checks,
  random: Random,
  groups: readonly PrivateGroup[],
  { count, strangers, tally }: { readonly count: number; readonly strangers: readonly Target[]; readonly tally: Tally },
): Promise<void> {
  const programs = createPrograms(
    random,
    strangers.map(({ address }) => address),
  )
  const goal = tally.sent + count
  while (tally.sent < goal) {
    const round = groups.flatMap((group) =>
      group.accounts.map((account) => {
        const targets = [...group.contracts, ...strangers]
        const through = random.pick(group.members)
        const ahead = random.percent(4) ? 1n : 0n
        if (group.contracts.length > 0 && random.percent(50))
          return {
            group,
            through,
            account,
            depth: 0,
            call: { to: random.pick(targets).address, data: new Uint8Array(0), ahead },
          }
        const { code, depth } = programs.creation(targets)
        return { group, through, account, depth, call: { data: code, ahead } }
      }),
    )
    const sent = await Promise.all(
      round.map(async (one) => ({ ...one, marker: await sendPrivate(one.group, one.through, one.account, one.call) })),
    )
    for (const { group, marker, depth } of sent) {
      const { status, contractAddress } = await receiptOfAll(checks, group, marker)
      if (status === '0x1' && contractAddress) group.contracts.push({ address: contractAddress, depth })
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
      tally.sent++
    }
  }
}

/** The result of a call, or its error. */
async function answerOf({ node }: PrivateMember, method: string, ...params: unknown[]): Promise<unknown> {
  try {
    return plain(await node.call(method, ...params))
  } catch (error) {
    return `error ${/-?\d+ .*$/.exec((error as Error).message)?.[0] ?? error}`
  }
}

/** Compares what members of a group say about it: roots, counts, logs, code and calls. */
export async function compareGroup(checks: Checks, group: PrivateGroup, blocks: readonly string[]): Promise<void> {
  const { id, contracts, accounts } = group
  async function same(what: string, method: string, ...lists: readonly (readonly unknown[])[]): Promise<void> {
    if (lists.length === 0) return
    const differences: string[] = []
    for (const params of lists) {
      const answers = await Promise.all(group.members.map((member) => answerOf(member, method, ...params)))
      const texts = answers.map((one) => JSON.stringify(one))
      if (new Set(texts).size > 1) differences.push(`${JSON.stringify(params)}: ${texts.join(' | ')}`)
    }
    checks.equal(`${group.name}: ${lists.length} ${what} of all members`, differences.slice(0, 3), [])
  }
  await same('roots', 'priv_debugGetStateRoot', ...blocks.map((block) => [id, block]))
  await same('counts', 'priv_getTransactionCount', ...accounts.map((one) => [accountOf(one), id]))
  await same('logs', 'priv_getLogs', [id, { fromBlock: '0x0', toBlock: 'latest' }])
  await same('codes', 'priv_getCode', ...contracts.map(({ address }) => [id, address, 'latest']))
  await same('calls', 'priv_call', ...contracts.map(({ address }) => [id, { to: address, data: '0x' }, 'latest']))
}
