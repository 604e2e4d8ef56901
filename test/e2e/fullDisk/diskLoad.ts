import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import { encodeTx } from '../../../src/types/encodeTx.ts'
import { signTx } from '../../../src/types/signTx.ts'
import { eventually, guest, type RpcNode } from '../../interop/rpcNode.ts'

/** Something that is sent again and again, and what was acknowledged of it. */
export interface DiskLoad {
  /** How many were acknowledged so far. */
  readonly acknowledged: number
  readonly refused: number
  /** Sends no more, and returns how many of the acknowledged are not there; each is waited for. */
  finish(): Promise<number>
}

const pauseBetween = 20
const pauseAfterRefusal = 200

/** Calls `send` until it is ended; `isThere` is asked for what each call returned. */
export function startLoad<T>(send: () => Promise<T>, isThere: (sent: T) => Promise<boolean>): DiskLoad {
  const acknowledged: T[] = []
  let refused = 0
  let isOver = false
  async function sendOn(): Promise<void> {
    while (!isOver) {
      try {
        acknowledged.push(await send())
        await delay(pauseBetween)
      } catch {
        refused++
        await delay(pauseAfterRefusal)
      }
    }
  }
  const sending = sendOn()
  return {
    get acknowledged() {
      return acknowledged.length
    },
    get refused() {
      return refused
    },
    async finish() {
      isOver = true
      await sending
      let missing = 0
      for (const one of acknowledged) {
        const found = await eventually('what was acknowledged is there', () => isThere(one)).catch(() => false)
        if (!found) missing++
      }
      return missing
    },
  }
}

const dataBytes = 60_000
const [sender] = devAccounts

/** Transactions of 60 KB that cannot be made smaller, one at a time. */
export async function startTransactions(node: RpcNode): Promise<DiskLoad> {
  let nonce = BigInt(await node.call<string>('eth_getTransactionCount', sender.address, 'pending'))
  async function send(): Promise<string> {
    const fields = { gasPrice: 0n, value: 0n, chainId: 1337n, gasLimit: 3_000_000n, to: hexToAddress(guest) }
    const tx = signTx({ type: 0, nonce, ...fields, data: randomBytes(dataBytes) }, fromHex(sender.privateKey))
    const hash = await node.call<string>('eth_sendRawTransaction', toHex(encodeTx(tx)))
    nonce++
    return hash
  }
  return startLoad(send, async (hash) => (await node.call('eth_getTransactionReceipt', hash)) !== null)
}
