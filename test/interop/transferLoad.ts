import { setTimeout as delay } from 'node:timers/promises'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { guest, type RpcNode } from './rpcNode.ts'

/** Transfers that are sent without a pause between blocks. */
export interface TransferLoad {
  /** Sends no more; returns how many transfers were sent. */
  stop(): Promise<number>
  readonly sender: string
}

/** Milliseconds between two transfers. */
const sendEvery = 50

/** Sends transfers while something is done, which may stop it before; it ends with what is done in any case. */
export async function underTransferLoad(
  up: () => readonly RpcNode[],
  action: (load: TransferLoad) => Promise<void>,
): Promise<void> {
  const load = startTransferLoad(up)
  try {
    await action(load)
  } finally {
    await load.stop()
  }
}

/** Sends transfers one at a time to two of the nodes that are up: one that is being stopped may not pass them on. */
function startTransferLoad(up: () => readonly RpcNode[]): TransferLoad {
  const { address, privateKey } = devAccounts[0]
  const key = fromHex(privateKey)
  const body = { to: hexToAddress(guest), value: 1n, data: new Uint8Array(0), gasLimit: 21_000n, gasPrice: 0n }
  let sent = 0
  let running = true

  async function send(): Promise<void> {
    const raw = toHex(encodeTx(signTx({ type: 0, chainId: 1337n, nonce: BigInt(sent), ...body }, key)))
    const nodes = up()
    const chosen = [0, 1].map((i) => nodes[(sent + i) % nodes.length]!)
    const outcomes = await Promise.allSettled(chosen.map((node) => node.call('eth_sendRawTransaction', raw)))
    if (outcomes.some(({ status }) => status === 'fulfilled')) sent++
  }

  const sending = (async () => {
    while (running) {
      await send()
      await delay(sendEvery)
    }
  })()
  return {
    sender: address,
    async stop() {
      running = false
      await sending
      return sent
    },
  }
}
