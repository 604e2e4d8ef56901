import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { getAddress, type Hex } from 'viem'
import { firstPrivateFile, readPrivacyKey } from '../../../src/cli/network/networkPrivacy.ts'
import type { Checks } from '../../interop/checks.ts'
import { eventually } from '../../interop/rpcNode.ts'
import { type Visitor, visit } from './visitor.ts'
import type { NetworkChain } from './withNetwork.ts'

interface Metrics {
  readonly address: Hex
  readonly proposedBlockCount: Hex
}

/** The validators that the network page lists. */
async function checkValidators(checks: Checks, visitor: Visitor, name: string, wanted: readonly Hex[]): Promise<void> {
  const card = visitor.page.getByRole('region', { name: 'Validators' })
  await visitor.sees(`${name}: its name`, card, name)
  const rows = card.locator('tbody tr')
  await visitor.sees(`${name}: validators have proposed`, rows, /[1-9]/)
  const listed = await rows
    .locator('td:first-child a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('title')))
  checks.equal(`${name}: all are listed`, listed.toSorted(), wanted.map((one) => getAddress(one)).toSorted())
}

/** Clique: the signer of a block, whom its beneficiary does not tell, and the list of signers. */
export async function checkCliquePages(checks: Checks, browser: Browser, chain: NetworkChain): Promise<void> {
  const visitor = await visit(browser, chain.explorer, checks)
  try {
    await checkValidators(checks, visitor, 'Clique', await chain.call<readonly Hex[]>('clique_getSigners', 'latest'))
    await visitor.inspect('clique')
    const metrics = await chain.call<readonly Metrics[]>('clique_getSignerMetrics', '0x3', '0x4')
    const signer = getAddress(metrics.find(({ proposedBlockCount }) => proposedBlockCount === '0x1')!.address)
    await visitor.open('block/3')
    checks.equal('Clique: the signer of a block', await visitor.fact('Signer'), signer)
    await visitor.inspect('clique-block')
    await visitor.open('blocks?from=3')
    const row = visitor.page.locator('tbody tr').first()
    await visitor.sees('Clique: the signer in the list', row.locator(`a[title="${signer}"]`), '0x')
  } finally {
    await visitor.leave()
  }
}

/** IBFT 2.0: validators, and rounds of blocks. */
export async function checkIbftPages(checks: Checks, browser: Browser, chain: NetworkChain): Promise<void> {
  const visitor = await visit(browser, chain.explorer, checks)
  const { page } = visitor
  try {
    const validators = await chain.call<readonly Hex[]>('ibft_getValidatorsByBlockNumber', 'latest')
    await checkValidators(checks, visitor, 'IBFT 2.0', validators)
    await visitor.open('blocks?from=5')
    await visitor.sees('IBFT 2.0: rounds in the list', page.locator('th'), 'Round')
    const { miner } = await chain.call<{ miner: Hex }>('eth_getBlockByNumber', '0x3', false)
    await visitor.open('block/3')
    checks.equal('IBFT 2.0: the proposer of a block', await visitor.fact('Proposer'), getAddress(miner))
    await visitor.sees('IBFT 2.0: its round', page.locator('.facts dd'), /^\d+ .*of 3 validators sealed it/)
    await visitor.inspect('ibft-block')
    await checkPrivate(checks, visitor, chain)
  } finally {
    await visitor.leave()
  }
}

/** Private groups and transactions, to a party and to another node. */
async function checkPrivate(checks: Checks, visitor: Visitor, chain: NetworkChain): Promise<void> {
  const { page } = visitor
  const keys = [0, 1, 2].map((i) => readPrivacyKey(join(chain.dir, `node${i}`)))
  await eventually('every manager knows the others', async () => {
    const parties = keys.map(async (_, i) => {
      const answer = await fetch(`http://127.0.0.1:${chain.port + 10 * i + 4}/partyinfo`)
      return ((await answer.json()) as { keys: unknown[] }).keys.length
    })
    return (await Promise.all(parties)).every((count) => count === keys.length)
  })
  const members = keys.slice(0, 2)
  const about = { addresses: members, name: '<b>trade</b>', description: 'of two' }
  const group = await chain.call<string>('priv_createPrivacyGroup', about)
  await visitor.open('groups')
  await visitor.sees('groups: the key of the node', page.getByRole('region', { name: 'Own key' }), keys[0]!)
  const own = page.getByRole('region', { name: 'Groups of this key' }).locator('tbody tr')
  await visitor.sees('groups: those of the key are listed', own, '<b>trade</b>')
  await page.getByRole('textbox', { name: 'Public keys' }).fill(members.join('\n'))
  const found = page.getByRole('group', { name: 'Groups of these members' }).locator('tbody tr')
  await visitor.sees('groups: found by its members', found, '<b>trade</b>')
  await visitor.inspect('groups')
  await visitor.open(`groups/${encodeURIComponent(group)}`)
  await visitor.sees('group: its members', page.getByRole('region', { name: 'Members' }), keys[1]!)
  await visitor.inspect('group')
  await visitor.open('groups')
  await page.getByRole('textbox', { name: 'Public keys' }).fill(keys.join('\n'))
  await visitor.sees('groups: nobody has these members', page.locator('.empty'), 'No group has exactly')
  const { method, params } = JSON.parse(readFileSync(firstPrivateFile(chain.dir), 'utf8')) as {
    method: string
    params: [Hex]
  }
  const marker = await chain.call<Hex>(method, ...params)
  const receipt = await eventually('the private receipt', () =>
    chain.call<{ contractAddress: Hex } | null>('priv_getTransactionReceipt', marker),
  )
  await visitor.open(`tx/${marker}`)
  const card = page.getByRole('region', { name: 'Private transaction' })
  await visitor.sees('private transaction: who may read it', card, keys[1]!)
  await visitor.sees('private transaction: its contract', card, getAddress(receipt.contractAddress))
  await visitor.sees('private transaction: its input', page.getByRole('region', { name: 'Private input' }), '0x')
  await visitor.sees('private transaction: its group', card.locator('a[href^="#/groups/"]'), '')
  await visitor.sees('private transaction: its logs', page.getByRole('region', { name: 'Private logs' }), '')
  await visitor.inspect('private-transaction')
  await card
    .getByRole('link', { name: getAddress(receipt.contractAddress).slice(0, 10) })
    .first()
    .click()
  await visitor.sees('private contract: its code', page.locator('.facts dd'), '10 B')
  await visitor.sees(
    'private contract: its events',
    page.getByRole('region', { name: 'Private events' }).locator('li'),
    '',
  )
  await visitor.inspect('private-contract')
  const route = new URL(page.url()).hash.slice(2)
  await visitor.open('transactions')
  await visitor.sees('transactions: a marker is named', page.locator('tbody tr'), 'Private marker')
  await visitor.open(`tx/${marker}`)
  await page.getByRole('combobox', { name: 'Node' }).selectOption({ label: 'node2' })
  await visitor.sees('private transaction: nothing for others', card, 'no party to it')
  checks.equal('private transaction: others see no key', (await card.innerText()).includes(keys[1]!), false)
  await visitor.open(route)
  await visitor.sees('private contract: nothing for others', page.locator('.facts dd'), 'none in this group')
  await visitor.open(`groups/${encodeURIComponent(group)}`)
  await visitor.sees('group: nothing for others', page.locator('.empty'), 'no member of such a group')
}
