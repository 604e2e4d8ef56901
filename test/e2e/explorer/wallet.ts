import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import type { ToolChain } from '../../interop/toolChain.ts'
import type { Sender } from './sender.ts'

interface Call {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** Puts a wallet (EIP-1193) into the page, as extensions do; it signs without asking. */
export async function injectWallet(page: Page, sender: Sender, chain: ToolChain): Promise<void> {
  await page.exposeFunction('askWallet', async ({ method, params = [] }: Call) => {
    if (method === 'eth_requestAccounts') return [sender.address]
    if (method !== 'eth_sendTransaction') return chain.call(method, ...params)
    const { to, data, value } = params[0] as { to: Hex; data: Hex; value: Hex }
    return sender.send({ to, data, value: BigInt(value) })
  })
  await page.addInitScript('globalThis.ethereum = { request: (call) => askWallet(call) }')
}
