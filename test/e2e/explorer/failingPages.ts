import { readFileSync } from 'node:fs'
import type { Checks } from '../../interop/checks.ts'
import { childrenOf } from '../../support/childrenOf.ts'
import type { Visitor } from './visitor.ts'
import type { NetworkChain } from './withNetwork.ts'

const account = `0x${'c0'.repeat(20)}`

/** Pages of a node that hangs, and how many of their parts say so at least. */
const pages: readonly (readonly [name: string, route: string])[] = [
  ['blocks', 'blocks'],
  ['block', 'block/3'],
  ['transactions', 'transactions'],
  ['transaction', `tx/0x${'12'.repeat(32)}`],
  ['account', `address/${account}`],
  ['account-tokens', `address/${account}/tokens`],
  ['pool', 'pool'],
  ['tokens', 'tokens'],
  ['token', `token/${account}`],
  ['validators', 'validators'],
  ['network', ''],
]

/** Processes of some nodes of a network. */
export function processesOf(chain: NetworkChain, names: RegExp): readonly number[] {
  return childrenOf(chain.pid).filter((pid) => names.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1')))
}

/** A node that hangs with its connections open while the network goes on: each page says what cannot be had, and can be left. */
export async function checkFailingPages(checks: Checks, visitor: Visitor, chain: NetworkChain): Promise<void> {
  const { page } = visitor
  await visitor.open('')
  await page.getByRole('combobox', { name: 'Node' }).selectOption({ label: 'node3' })
  await page.locator('.facts dd', { hasText: 'node3' }).waitFor()
  const hung = processesOf(chain, /node3(?:\W|$)/)
  checks.equal('failing: the node is found', hung.length, 1)
  for (const pid of hung) process.kill(pid, 'SIGSTOP')
  try {
    for (const [name, route] of pages) {
      await page.evaluate((to) => Object.assign(globalThis, { location: to }), `#/${route}`)
      await visitor.sees(`failing: ${name}`, page.locator('main .failed, main .empty'), /answer|not there|served/)
      await visitor.inspect(`failing-${name}`)
    }
    await visitor.sees('failing: the node is named', page.locator('.banner li'), /node3 does not answer/)
    await page.getByRole('combobox', { name: 'Node' }).selectOption({ label: 'node0' })
    await page.locator('.facts dd', { hasText: 'node0' }).waitFor()
    await visitor.sees('failing: another node is shown at once', page.locator('.big[data-head]'), /\d/)
  } finally {
    for (const pid of hung) process.kill(pid, 'SIGCONT')
  }
}
