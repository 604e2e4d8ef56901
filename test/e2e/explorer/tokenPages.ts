import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem'
import { tokenCode } from '../../../bench/rpc/token.ts'
import { zeroAddress } from '../../../src/primitives/bytes.ts'
import { hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import type { Checks } from '../../interop/checks.ts'
import type { ToolChain } from '../../interop/toolChain.ts'
import { anyLogsCode, batchTransfer, erc721Transfer, inputOfLogs } from '../../support/anyLogs.ts'
import { plainTokenCreation } from './plainToken.ts'
import { createSender, type Sender } from './sender.ts'
import { receiver } from './story.ts'
import { type Visitor, visit } from './visitor.ts'

const abi = parseAbi(['function mint(address to, uint256 value)', 'function transfer(address to, uint256 value)'])

interface TokenStory {
  readonly gold: Hex
  readonly transfer: Hex
  /** Gave its whole supply to who made it, without an event. */
  readonly silent: Hex
  readonly items: Hex
}

async function makeTokens(sender: Sender): Promise<TokenStory> {
  const create = async (data: Hex) => (await sender.mine({ data, gas: 3_000_000n })).contractAddress!
  const call = async (to: Hex, data: Hex) => (await sender.mine({ to, data })).transactionHash
  const gold = await create(plainTokenCreation)
  const encode = (functionName: 'mint' | 'transfer', to: Hex, value: bigint) =>
    encodeFunctionData({ abi, functionName, args: [to, value] })
  await call(gold, encode('mint', sender.address, parseEther('1000')))
  const transfer = await call(gold, encode('transfer', receiver, parseEther('12.5')))
  const silent = await create(toHex(tokenCode) as Hex)
  await call(silent, encode('transfer', receiver, 70n))
  const items = await create(toHex(anyLogsCode) as Hex)
  const owner = hexToAddress(receiver)
  const logs = [
    erc721Transfer(zeroAddress, owner, 7n),
    batchTransfer(zeroAddress, owner, [
      [1n, 10n],
      [2n, 20n],
    ]),
  ]
  await call(items, toHex(inputOfLogs(logs)) as Hex)
  return { gold, transfer, silent, items }
}

/** Pages of tokens, on a chain with one that tells the truth, one that does not, and one of items. */
export async function checkTokenPages(checks: Checks, browser: Browser, chain: ToolChain, url: string): Promise<void> {
  const sender = createSender(chain.url)
  const story = await makeTokens(sender)
  const visitor = await visit(browser, url, checks)
  try {
    await checkToken(checks, visitor, sender, story)
    await checkHolding(visitor, story)
    await checkContract(visitor, story)
    await checkUnits(visitor, story)
    await checkNames(checks, visitor, story)
  } finally {
    await visitor.leave()
  }
}

const rowsOf = ({ page }: Visitor, name: string) => page.getByRole('group', { name, exact: true }).locator('tbody tr')

async function checkToken(
  checks: Checks,
  visitor: Visitor,
  sender: Sender,
  { gold, silent }: TokenStory,
): Promise<void> {
  const { page } = visitor
  await visitor.open('tokens')
  await visitor.sees('tokens: by symbol', rowsOf(visitor, 'Tokens'), 'CGLD')
  await visitor.inspect('tokens')
  await visitor.open(`token/${gold}`)
  await visitor.sees('token: its name', page.locator('h1'), 'Consortium Gold')
  await visitor.sees(
    'token: supply in units, with holders',
    page.locator('.facts'),
    /1,000\s+CGLD\s+2 holders, 2 transfers/,
  )
  await visitor.sees('token: its transfers', rowsOf(visitor, 'Token transfers'), '12.5')
  await visitor.inspect('token')
  await page.getByRole('link', { name: 'Holders', exact: true }).click()
  await visitor.sees('holders: the largest first', rowsOf(visitor, 'Holders').first(), /987\.5.*98\.7 %/)
  await visitor.sees('holders: the second', rowsOf(visitor, 'Holders').nth(1), '12.5')
  checks.equal('holders: nothing is marked', await page.locator('main .failed').count(), 0)
  await visitor.inspect('holders')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV of Holders' }).click()
  const saved = readFileSync(await (await saving).path(), 'utf8')
  checks.equal(
    'holders: as CSV',
    saved.toLowerCase(),
    `\ufeffholder,balance\r\n${sender.address.toLowerCase()},987.5\r\n${receiver.toLowerCase()},12.5\r\n`,
  )
  await visitor.open(`token/${silent}`)
  await visitor.sees('token: one whose events are not all is marked', page.locator('main .failed'), 'do not explain')
  await visitor.sees('token: accounts below zero', page.locator('.facts'), '1 accounts below zero')
  await visitor.inspect('untrue-token')
}

async function checkHolding(visitor: Visitor, { gold, items }: TokenStory): Promise<void> {
  const { page } = visitor
  await visitor.open(`address/${receiver}/tokens`)
  await visitor.sees('account: its tokens', rowsOf(visitor, 'Tokens').filter({ hasText: 'CGLD' }), '12.5')
  await visitor.inspect('account-tokens')
  await visitor.open(`address/${receiver}/transfers`)
  await visitor.sees(
    'account: its transfers',
    rowsOf(visitor, 'Token transfers').filter({ hasText: 'CGLD' }),
    /in.*12\.5/,
  )
  await visitor.inspect('account-transfers')
  await visitor.open(`token/${gold}/holder/${receiver}`)
  await visitor.sees('holder: balance', page.locator('.facts').nth(1), '12.5 CGLD')
  await visitor.inspect('holder')
  await visitor.open(`token/${items}/holder/${receiver}`)
  await visitor.sees('holder: item of ERC-721', rowsOf(visitor, 'Items (ERC-721)'), '#7')
  await visitor.sees('holder: items of ERC-1155', rowsOf(visitor, 'Items (ERC-1155)').nth(1), /#2.*20/)
  await visitor.inspect('items')
}

async function checkContract(visitor: Visitor, { gold }: TokenStory): Promise<void> {
  await visitor.open(`address/${gold}/events`)
  await visitor.sees('events: decoded, in units', rowsOf(visitor, 'Events').first(), '12.5 CGLD')
  await visitor.inspect('events')
  await visitor.open(`address/${gold}/internal`)
  await visitor.sees('internal: none, in words', visitor.page.locator('.empty'), 'no internal transactions')
  await visitor.inspect('internal')
}

async function checkUnits(visitor: Visitor, { gold, transfer }: TokenStory): Promise<void> {
  const { page } = visitor
  await visitor.open(`tx/${transfer}`)
  await visitor.sees('units: in the input', page.locator('.decoded').first(), '12.5 CGLD')
  await visitor.sees('units: in the log', page.locator('.logs .decoded'), '12.5 CGLD')
  await visitor.open(`address/${gold}`)
  await visitor.sees('units: in lists', rowsOf(visitor, 'Transactions').first(), '12.5 CGLD')
  await visitor.open(`address/${gold}/calls`)
  const form = page
    .locator('form.call-form')
    .filter({ has: page.getByRole('heading', { name: 'totalSupply', exact: true }) })
  await form.getByRole('button').click()
  await visitor.sees('units: of what a call returns', form.locator('.outcome'), '1,000 CGLD')
}

async function checkNames(checks: Checks, visitor: Visitor, { gold, transfer }: TokenStory): Promise<void> {
  const { page } = visitor
  const field = page.getByRole('searchbox')
  await field.fill('cgld')
  await field.press('Enter')
  await checks.step('search: a token by its symbol', () =>
    page.waitForURL((url) => url.hash.toLowerCase() === `#/token/${gold.toLowerCase()}`),
  )
  await visitor.open(`address/${receiver}`)
  await page.getByRole('button', { name: 'Give a name' }).click()
  await page.getByLabel('Name of this account in this browser').fill('<b>Treasury</b>')
  await page.getByRole('button', { name: 'Keep' }).click()
  await visitor.sees('names: kept', page.locator('.facts').first(), '<b>Treasury</b>')
  await visitor.inspect('named-account')
  await visitor.open(`token/${gold}/holders`)
  await visitor.sees('names: in lists', rowsOf(visitor, 'Holders').nth(1), '<b>Treasury</b>')
  await visitor.open(`tx/${transfer}`)
  await visitor.sees('names: beside whole addresses', page.locator('.logs, .decoded').first(), '<b>Treasury</b>')
  await field.fill('treasury')
  await field.press('Enter')
  await checks.step('search: an account by its name', () =>
    page.waitForURL((url) => url.hash.toLowerCase() === `#/address/${receiver.toLowerCase()}`),
  )
}
