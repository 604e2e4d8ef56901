import type { Browser } from 'playwright-core'
import type { Hex } from 'viem'
import type { Checks } from '../../interop/checks.ts'
import { eventually } from '../../interop/rpcNode.ts'
import { createSender, startLoad } from './sender.ts'
import { visit } from './visitor.ts'
import type { NetworkChain } from './withNetwork.ts'

const candidate: Hex = `0x${'c0'.repeat(20)}`

/** The pages of a network of four validators under load: heads, validators, a vote that comes into the chain, another node. */
export async function checkNetworkPages(checks: Checks, browser: Browser, chain: NetworkChain): Promise<void> {
  const load = startLoad(createSender(chain.url))
  const visitor = await visit(browser, chain.explorer, checks)
  const { page } = visitor
  const validators = () => chain.call<readonly Hex[]>('qbft_getValidatorsByBlockNumber', 'latest')
  try {
    const head = page.locator('.big[data-head]')
    await head.waitFor()
    const first = Number(await head.getAttribute('data-head'))
    await checks.step('network: heads go on by themselves', () =>
      eventually('three more', async () => Number(await head.getAttribute('data-head')) >= first + 3),
    )
    const rows = page.getByRole('region', { name: 'Validators' }).locator('tbody tr')
    await visitor.sees('validators: they have proposed', rows.nth(3), /[1-9]/)
    const listed = await rows
      .locator('td:first-child a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('title')))
    checks.equal('validators: all are listed', listed.toSorted(), [...(await validators())].toSorted())
    await visitor.inspect('validators')
    await page.getByRole('textbox', { name: 'Vote on' }).fill(candidate)
    await page.getByLabel('through all 4 nodes').check()
    await page.getByRole('button', { name: 'Vote to add' }).click()
    await visitor.sees('vote: cast', page.locator('.vote .outcome'), 'Voted to add')
    await checks.step('vote: the chain has another validator', () =>
      eventually('the candidate is a validator', async () => (await validators()).includes(candidate)),
    )
    await visitor.sees('vote: the page lists it', rows, candidate.slice(0, 8))
    await page.getByRole('combobox', { name: 'Node' }).selectOption({ label: 'node2' })
    await checks.step('nodes: another one is shown', async () => {
      await page.locator('.facts dd', { hasText: 'node2' }).waitFor()
    })
    await page.locator('.big[data-head]').waitFor()
    await visitor.open('blocks')
    await visitor.sees('blocks: rounds are shown', page.locator('th'), 'Round')
    await visitor.inspect('qbft-blocks')
  } finally {
    await visitor.leave()
    await load.stop()
  }
}
