import type { Browser } from 'playwright-core'
import { getAddress, type Hex } from 'viem'
import type { Checks } from '../../interop/checks.ts'
import { eventually } from '../../interop/rpcNode.ts'
import { checkFailingPages, processesOf } from './failingPages.ts'
import { createSender, startLoad } from './sender.ts'
import { type Visitor, visit } from './visitor.ts'
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
    checks.equal(
      'validators: all are listed',
      listed.toSorted(),
      (await validators()).map((one) => getAddress(one)).toSorted(),
    )
    await visitor.inspect('validators')
    checks.equal('network: nobody votes from its page', await page.getByRole('button', { name: /^Vote/ }).count(), 0)
    await visitor.open('validators')
    await page.getByRole('textbox', { name: 'Vote on' }).fill(candidate)
    await page.getByLabel('through all 4 nodes').check()
    await page.getByRole('button', { name: 'Vote to add' }).click()
    await visitor.sees('vote: cast', page.locator('.vote .outcome'), 'Voted to add')
    const ready = page.getByRole('region', { name: 'Votes that nodes hold ready' }).locator('tbody tr')
    await visitor.sees('vote: what becomes of it', ready, /node0.*(next block|is in the chain|done: it is a validator)/)
    await checks.step('vote: the chain has another validator', () =>
      eventually('the candidate is a validator', async () => (await validators()).includes(candidate)),
    )
    await visitor.sees('vote: the page lists it', rows, candidate.slice(0, 8))
    await visitor.sees('vote: withdrawing is proposed', ready, 'done: it is a validator')
    await visitor.inspect('votes')
    await visitor.open('')
    await page.getByRole('combobox', { name: 'Node' }).selectOption({ label: 'node2' })
    await checks.step('nodes: another one is shown', async () => {
      await page.locator('.facts dd', { hasText: 'node2' }).waitFor()
    })
    await page.locator('.big[data-head]').waitFor()
    await visitor.open('blocks')
    await visitor.sees('blocks: rounds are shown', page.locator('th'), 'Round')
    await visitor.inspect('qbft-blocks')
    await load.stop()
    await checkStandstill(checks, visitor, chain)
    await checkFailingPages(checks, visitor, chain)
  } finally {
    // What was asked of nodes that hang.
    await visitor.leave(/Failed to load resource|WebSocket connection/)
    await load.stop()
  }
}

/** Two of four nodes hang with their connections open: every page says so, and the table of validators stays. */
async function checkStandstill(checks: Checks, visitor: Visitor, chain: NetworkChain): Promise<void> {
  const { page } = visitor
  await page.getByRole('combobox', { name: 'Node' }).selectOption({ label: 'node0' })
  await visitor.open('')
  await page.locator('.big[data-head]').waitFor()
  checks.equal('standstill: nothing is said while blocks come', await page.getByRole('alert').count(), 0)
  const banner = page.locator('.banner.error')
  const hung = processesOf(chain, /node[23](?:\W|$)/)
  checks.equal('standstill: two nodes are found', hung.length, 2)
  for (const pid of hung) process.kill(pid, 'SIGSTOP')
  try {
    await visitor.sees(
      'standstill: who is missing, and how many are needed',
      banner,
      /No block for .*: .*of \d needed validators heard, waiting for (?=.*node2)(?=.*node3)/,
    )
    await visitor.open('transactions')
    await visitor.sees('standstill: on other pages, too', banner, 'No block for')
    // By now more has been asked of the two than a browser has connections to one server.
    await visitor.sees('standstill: it goes on', banner, /No block for ([3-9]\d s|1\d\d s|\d+ min)/)
    await visitor.open('')
    const rows = page.getByRole('region', { name: 'Validators' }).locator('tbody tr')
    await visitor.sees('standstill: the validators are shown', rows.nth(3), /0x/)
    await visitor.sees('standstill: those that are missing are marked', rows, /node2.*missing/)
    await visitor.inspect('standstill')
  } finally {
    for (const pid of hung) process.kill(pid, 'SIGCONT')
  }
  await checks.step('standstill: it ends', () =>
    eventually('the note is gone', async () => (await banner.count()) === 0),
  )
}
