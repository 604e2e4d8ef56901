import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NetworkPlan } from '../../src/cli/network/networkPlan.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx, txHash } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { eventually, guest } from '../interop/rpcNode.ts'
import { type Deciding, deciding, decidingOptions, replacement, withDecidingContracts } from './decidingContracts.ts'
import { allowing, initCodeOf } from './hostileCode.ts'
import { someAtOnce } from './someAtOnce.ts'
import { createValidatorPlan, createValidatorProcess, type ValidatorProcess } from './validatorProcess.ts'

const admin = devAccounts[0]
const gasLimit = 30_000_000n

/** Four validators that ask contracts whose code can be replaced, with private transactions in flexible groups. */
export interface ContractNetwork {
  readonly nodes: readonly ValidatorProcess[]
  readonly plan: NetworkPlan
  /** Each node's key for private transactions, in base64. */
  readonly keys: readonly string[]
  /** Starts a node, or starts it again, as all are started. */
  start(node: number): void
  /** Sends a transaction of the administrator, who may always send; returns its receipt. */
  send(
    to: Address | undefined,
    data: Uint8Array,
  ): Promise<{ readonly contractAddress: string; readonly status: string }>
  /** Lets one of the contracts decide by other code. */
  replace(which: Deciding, runtime: Uint8Array): Promise<void>
  /** Sends transfers of new accounts to a node; returns how many it took. */
  transferFromStrangers(count: number, node?: number): Promise<number>
}

export async function createContractNetwork(dir: string, validators = 4): Promise<ContractNetwork> {
  const plan = await createValidatorPlan(dir, validators, 'qbft', true)
  const file = join(dir, 'genesis.json')
  const genesis = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const addresses = plan.nodes.map(({ address }) => hexToAddress(address))
  const changed = withDecidingContracts(genesis, addresses, hexToAddress(admin.address), allowing)
  writeFileSync(file, JSON.stringify(changed))
  const nodes = plan.nodes.map((_, i) => createValidatorProcess(dir, plan, i))
  const first = nodes[0]!
  let nonce = 0n

  async function send(to: Address | undefined, data: Uint8Array) {
    const fields = { gasPrice: 0n, value: 0n, gasLimit, chainId: 1337n, nonce: nonce++, to, data }
    const tx = signTx({ type: 0, ...fields }, fromHex(admin.privateKey))
    const hash = toHex(txHash(tx))
    await eventually('the administrator sends', () =>
      first.call<string>('eth_sendRawTransaction', toHex(encodeTx(tx))).catch((error: Error) => {
        // A reply was lost, and the transaction was not.
        if (error.message.includes('Known transaction')) return hash
        throw error
      }),
    )
    return eventually('the transaction is mined', () =>
      first.call<{ contractAddress: string; status: string } | null>('eth_getTransactionReceipt', hash),
    )
  }

  return {
    nodes,
    plan,
    keys: plan.nodes.map((_, i) => readFileSync(join(dir, `node${i}`, 'privacy.pub'), 'utf8').trim()),
    start: (node) => nodes[node]!.start(...decidingOptions, '--privacy-flexible-groups-enabled'),
    send,
    async replace(which, runtime) {
      const { contractAddress } = await send(undefined, initCodeOf(runtime))
      await send(deciding[which], replacement(hexToAddress(contractAddress)))
    },
    async transferFromStrangers(count, node = 1) {
      let taken = 0
      await someAtOnce(count, async () => {
        const fields = {
          gasPrice: 0n,
          value: 0n,
          gasLimit: 21_000n,
          chainId: 1337n,
          nonce: 0n,
          data: new Uint8Array(0),
        }
        const tx = signTx({ type: 0, ...fields, to: hexToAddress(guest) }, randomBytes(32))
        const sent = nodes[node]!.call('eth_sendRawTransaction', toHex(encodeTx(tx)))
        const one = await sent.then(
          () => 1,
          () => 0,
        )
        taken += one
      })
      return taken
    },
  }
}
