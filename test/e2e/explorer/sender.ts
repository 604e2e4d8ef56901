import { createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devAccounts } from '../../../src/forks/devGenesis.ts'

/** An account that signs and sends transactions to a node. */
export function createSender(url: string, account = 1) {
  const signer = privateKeyToAccount(`0x${devAccounts[account]!.privateKey}`)
  const transport = http(url)
  const chain = {
    id: 1337,
    name: 'test',
    nativeCurrency: { name: 'ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  } as const
  const reader = createPublicClient({ chain, transport, pollingInterval: 100 })
  const wallet = createWalletClient({ account: signer, chain, transport })
  let next: Promise<number> | undefined

  /** Sends a transaction and returns its hash. */
  async function send(tx: { to?: Hex; data?: Hex; value?: bigint; gas?: bigint }): Promise<Hex> {
    // One at a time, also for those who send at the same time.
    const mine = (next ??= reader.getTransactionCount({ address: signer.address, blockTag: 'pending' }))
    next = mine.then((nonce) => nonce + 1)
    const nonce = await mine
    return wallet.sendTransaction({ gas: 1_000_000n, gasPrice: 2_000_000_000n, ...tx, nonce })
  }

  return {
    address: signer.address,
    reader,
    send,
    /** Sends a transaction with a nonce that is not the next one; the one that is sent after it has the next one. */
    sendAt(nonce: number, tx: { to: Hex; value: bigint; gas: bigint }): Promise<Hex> {
      next = undefined
      return wallet.sendTransaction({ gasPrice: 2_000_000_000n, ...tx, nonce })
    },
    /** Sends a transaction and waits for its receipt. */
    mine: async (tx: Parameters<typeof send>[0]) =>
      reader.waitForTransactionReceipt({ hash: await send(tx), timeout: 120_000 }),
  }
}

export type Sender = ReturnType<typeof createSender>

/** Sends transfers, a few at a time, until it is stopped. */
export function startLoad(sender: Sender): { stop(): Promise<void> } {
  let running = true
  async function run(): Promise<void> {
    while (running) {
      const hashes = await Promise.all(
        Array.from({ length: 20 }, () => sender.send({ to: sender.address, value: 1n, gas: 21_000n })),
      )
      await sender.reader.waitForTransactionReceipt({ hash: hashes.at(-1)!, timeout: 120_000 })
    }
  }
  const ended = run()
  // Told when it is stopped.
  ended.catch(() => {})
  return {
    async stop() {
      running = false
      await ended
    },
  }
}
