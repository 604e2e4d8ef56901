import type { Browser, Page } from 'playwright-core'
import { formatEther, getAddress, type Hex, numberToHex, parseAbi } from 'viem'
import type { Checks } from '../../interop/checks.ts'
import { eventually } from '../../interop/rpcNode.ts'
import type { ToolChain } from '../../interop/toolChain.ts'
import { hostile, tokenLines } from './hostileToken.ts'
import { createSender, type Sender } from './sender.ts'
import { makeStory, receiver, type Story } from './story.ts'
import { type Visitor, visit } from './visitor.ts'
import { injectWallet } from './wallet.ts'

const shown = (text: string) => text.replaceAll('\u202e', '\\u{202e}')

/** Every page against JSON-RPC on a development network. */
export async function checkDevPages(checks: Checks, browser: Browser, chain: ToolChain, url: string): Promise<void> {
  const sender = createSender(chain.url)
  const story = await makeStory(sender)
  await chain.call('anvil_mine', numberToHex(30))
  const wallet = (page: Page) => injectWallet(page, sender, chain)
  const visitor = await visit(browser, url, checks, { wallet })
  try {
    await checkNetwork(checks, visitor, chain, sender)
    await checkBlocks(checks, visitor, chain)
    await checkTransactions(checks, visitor, chain, story)
    await checkAccount(checks, visitor, chain, sender, story)
    await checkAccountTxs(checks, visitor, chain, sender)
    await checkCalls(checks, visitor, chain, story)
    await checkPool(visitor, sender)
    await checkSearch(checks, visitor, story)
  } finally {
    await visitor.leave()
  }
}

async function checkNetwork(checks: Checks, visitor: Visitor, chain: ToolChain, sender: Sender): Promise<void> {
  const { page } = visitor
  const head = Number(await chain.call<Hex>('eth_blockNumber'))
  await visitor.sees('network: head', page.locator(`.big[data-head="${head}"]`), head.toLocaleString('en'))
  await visitor.sees('network: heads come over WebSocket', page.locator('.liveness[title*="over WebSocket"]'), '')
  checks.equal(
    'network: chain id',
    await visitor.fact('Chain id'),
    String(BigInt(await chain.call<Hex>('eth_chainId'))),
  )
  checks.equal('network: program', await visitor.fact('Program'), await chain.call<string>('web3_clientVersion'))
  await sender.mine({ to: receiver, value: 1n })
  await visitor.sees('network: the next block appears by itself', page.locator(`.big[data-head="${head + 1}"]`), '')
  await visitor.inspect('network')
}

async function checkBlocks(checks: Checks, visitor: Visitor, chain: ToolChain): Promise<void> {
  const { page } = visitor
  await visitor.open('blocks')
  const head = Number(await chain.call<Hex>('eth_blockNumber'))
  const numbers = page.locator('table tbody tr td:first-child a')
  await visitor.sees('blocks: the head is first', numbers.first(), head.toLocaleString('en'))
  checks.equal('blocks: a page', await numbers.count(), 25)
  await page.getByRole('link', { name: 'Older →' }).click()
  await visitor.sees('blocks: the next page follows', numbers.first(), String(head - 25))
  await visitor.inspect('blocks')
  const block = await chain.call<{ hash: Hex; gasUsed: Hex; transactions: Hex[] }>('eth_getBlockByNumber', '0x2', false)
  await visitor.open('block/2')
  checks.equal('block: hash', (await visitor.fact('Hash')).includes(block.hash), true)
  checks.equal('block: gas', (await visitor.fact('Gas used')).split(' ')[0], Number(block.gasUsed).toLocaleString('en'))
  await visitor.sees('block: its transaction', page.locator(`a[href="#/tx/${block.transactions[0]}"]`), '0x')
  await visitor.inspect('block')
  await visitor.open('block/99999999')
  await visitor.sees('block: one that is not there yet', page.locator('.empty'), 'not there yet')
}

async function checkTransactions(checks: Checks, visitor: Visitor, chain: ToolChain, story: Story): Promise<void> {
  const { page } = visitor
  await visitor.open('transactions')
  await visitor.sees('transactions: the latest', page.locator(`a[href="#/tx/${story.nested}"]`), '0x')
  await visitor.sees('transactions: ether that is sent is no transfer', page.locator('tbody .tag'), 'Send ether')
  // What has no room is reached by scrolling, which a shadow shows.
  await page.setViewportSize({ width: 390, height: 900 })
  const table = page.getByRole('group', { name: 'Transactions' })
  checks.equal('on a phone, no column is left out', await table.locator('th:visible').count(), 7)
  checks.equal(
    'on a phone, a table that is cut has a shadow',
    await page.evaluate(`(() => {
      const it = document.querySelector('[role=group][aria-label=Transactions]')
      return it.scrollWidth > it.clientWidth && getComputedStyle(it).backgroundImage.includes('gradient')
    })()`),
    true,
  )
  await visitor.inspect('transactions')
  await visitor.open(`tx/${story.transfer}`)
  const receipt = await chain.call<{ gasUsed: Hex; effectiveGasPrice: Hex; from: Hex }>(
    'eth_getTransactionReceipt',
    story.transfer,
  )
  checks.equal('transaction: status', await visitor.fact('Status'), 'succeeded')
  checks.equal('transaction: sender', await visitor.fact('From'), getAddress(receipt.from))
  checks.equal(
    'transaction: gas',
    (await visitor.fact('Gas')).split(' ')[0],
    Number(receipt.gasUsed).toLocaleString('en'),
  )
  const fee = page.locator(
    `[title="${formatEther(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice))} ether"]`,
  )
  await visitor.sees('transaction: fee', fee, 'ether')
  await visitor.sees(
    'transaction: tokens, with a hostile symbol',
    page.locator('td'),
    `123.45 ${shown(hostile.symbol)}`,
  )
  await visitor.sees('transaction: decoded input', page.locator('.decoded').first(), 'transfer')
  await visitor.sees('transaction: decoded log', page.locator('.logs .decoded'), '12345')
  await visitor.inspect('transaction')
  await visitor.open(`tx/${story.failure}`)
  checks.equal('transaction: reason of failure', await visitor.fact('Status'), `failed ${shown(hostile.revert)}`)
  await visitor.inspect('failed-transaction')
  await visitor.open(`tx/${story.nested}`)
  const trace = await chain.call<{ calls: { gasUsed: Hex }[]; gasUsed: Hex }>('debug_traceTransaction', story.nested, {
    tracer: 'callTracer',
  })
  const calls = page.getByRole('group', { name: 'Calls' }).locator('tbody tr')
  await visitor.sees('trace: the inner call that failed', calls, shown(hostile.revert))
  const gas = await calls.locator('td:nth-child(2)').allInnerTexts()
  checks.equal(
    'trace: gas of each call',
    gas,
    [trace, ...trace.calls].map(({ gasUsed }) => Number(gasUsed).toLocaleString('en')),
  )
  await calls.nth(1).getByRole('button').click()
  const { structLogs } = await chain.call<{ structLogs: { depth: number }[] }>(
    'debug_traceTransaction',
    story.nested,
    {},
  )
  const own = structLogs.slice(structLogs.findIndex(({ depth }) => depth === 2))
  const steps = own.slice(
    0,
    own.findIndex(({ depth }) => depth === 1),
  ).length
  await visitor.sees('trace: steps of one call', page.locator('.steps label'), `Step 1 of ${steps}`)
  await page.getByRole('button', { name: 'Next →' }).click()
  await visitor.sees('trace: the next step', page.locator('.steps label'), `Step 2 of ${steps}`)
  await visitor.inspect('trace')
}

async function checkAccount(
  checks: Checks,
  visitor: Visitor,
  chain: ToolChain,
  sender: Sender,
  story: Story,
): Promise<void> {
  const { page } = visitor
  await visitor.open(`address/${sender.address}`)
  const balance = BigInt(await chain.call<Hex>('eth_getBalance', sender.address, 'latest'))
  await visitor.sees('account: balance', page.locator(`[title="${formatEther(balance)} ether"]`), 'ether')
  const nonce = Number(await chain.call<Hex>('eth_getTransactionCount', sender.address, 'latest'))
  checks.equal('account: transactions sent', await visitor.fact('Transactions sent'), String(nonce))
  await page.getByLabel('Number of the block').fill('1')
  await page.getByLabel('Number of the block').press('Enter')
  const early = BigInt(await chain.call<Hex>('eth_getBalance', sender.address, '0x1'))
  await visitor.sees(
    'account: balance at an earlier block',
    page.locator(`[title="${formatEther(early)} ether"]`),
    'ether',
  )
  await visitor.inspect('account')
  await visitor.open(`address/${sender.address}/balance`)
  await visitor.sees('account: balance over time', page.locator('.chart canvas'), '')
  await visitor.inspect('balance')
  await visitor.open(`address/${story.token}/code`)
  const code = await chain.call<Hex>('eth_getCode', story.token, 'latest')
  checks.equal('contract: size of its code', await visitor.fact('Code'), `${(code.length - 2) / 2} B`)
  await visitor.sees('contract: its code by names', page.locator('.code li').nth(1), 'CALLDATALOAD')
  await visitor.sees('contract: a hostile name', page.locator('.facts'), hostile.name)
  await visitor.inspect('code')
}

/** Someone who only receives. */
const busy = '0x00000000000000000000000000000000000b0551'

interface TxPage {
  readonly txs: readonly { readonly hash: Hex; readonly blockNumber: Hex }[]
  readonly lastPage: boolean
}

async function checkAccountTxs(checks: Checks, visitor: Visitor, chain: ToolChain, sender: Sender): Promise<void> {
  const { page } = visitor
  const [count, perPage] = [60, 25]
  await Promise.all(Array.from({ length: count }, () => sender.send({ to: busy, value: 1n, gas: 21_000n })))
  const search = (side: 'Before' | 'After', block: number, size: number) =>
    chain.call<TxPage>(`ots_searchTransactions${side}`, busy, block, size)
  await checks.step('transactions of an account: all are mined', () =>
    eventually('60 transactions', async () => (await search('Before', 0, 2 * count)).txs.length === count),
  )
  const links = page.getByRole('region', { name: 'Transactions' }).locator('tbody a[href^="#/tx/"]')
  const older = page.getByRole('link', { name: 'Older →' })
  async function shows(name: string, { txs }: TxPage): Promise<void> {
    await visitor.sees(`${name}: the newest`, links.first().and(page.locator(`[href="#/tx/${txs[0]!.hash}"]`)), '0x')
    const listed = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    checks.equal(
      `${name}: all`,
      listed,
      txs.map(({ hash }) => `#/tx/${hash}`),
    )
  }
  await visitor.open(`address/${busy}`)
  let shown = await search('Before', 0, perPage)
  await shows('transactions of an account, first page', shown)
  await visitor.inspect('account-transactions')
  let seen = shown.txs.length
  while (!shown.lastPage) {
    await older.click()
    shown = await search('Before', Number(shown.txs.at(-1)!.blockNumber), perPage)
    await shows('transactions of an account, next page', shown)
    seen += shown.txs.length
  }
  checks.equal('transactions of an account: each on one page', seen, count)
  checks.equal('transactions of an account: nothing is older', await older.count(), 0)
  await page.getByRole('link', { name: '← Newer' }).click()
  await shows('transactions of an account, back', await search('After', Number(shown.txs[0]!.blockNumber), perPage))
}

async function checkCalls(checks: Checks, visitor: Visitor, chain: ToolChain, story: Story): Promise<void> {
  const { page } = visitor
  await visitor.open(`address/${story.token}/calls`)
  await page.getByText('Give the ABI of this contract').click()
  await page.getByRole('textbox', { name: 'ABI' }).fill('<script>window.hacked=1</script>')
  await page.getByRole('button', { name: 'Use this ABI' }).click()
  await visitor.sees('calls: an invalid ABI is refused', page.locator('.abi .outcome'), 'not declarations')
  await page.getByLabel('or from a file').setInputFiles({
    name: 'Token.json',
    mimeType: 'application/json',
    // As compilers write it.
    buffer: Buffer.from(
      JSON.stringify({ contractName: 'Token', abi: parseAbi(['function get() view returns (uint256)']) }),
    ),
  })
  await visitor.sees('calls: ABI by file', page.locator('form.call-form'), 'get')
  await page.getByRole('textbox', { name: 'ABI' }).fill(tokenLines)
  await page.getByRole('button', { name: 'Use this ABI' }).click()
  const form = (name: string) =>
    page.locator('form.call-form').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await form('set').getByRole('button').click()
  await visitor.sees(
    'calls: an empty field is named',
    form('set').locator('.outcome'),
    'Enter a value for value (uint256)',
  )
  await form('set').getByRole('textbox').fill('77')
  await form('set').getByRole('button').click()
  await visitor.sees('calls: the wallet sent a transaction', form('set').locator('.outcome a'), '0x')
  await checks.step('calls: the transaction is in the chain', () =>
    eventually(
      'slot 0 is 77',
      async () => BigInt(await chain.call<Hex>('eth_getStorageAt', story.token, '0x0', 'latest')) === 77n,
    ),
  )
  await form('get').getByRole('button').click()
  await visitor.sees('calls: reading', form('get').locator('.outcome'), '77')
  await form('huge').getByRole('button').click()
  await visitor.sees('calls: a text of 1 MB is cut', form('huge').locator('.outcome'), 'more characters')
  checks.equal('calls: what is shown of it is short', (await form('huge').innerText()).length < 2000, true)
  await visitor.inspect('calls')
  await visitor.open(`address/${story.token}/storage`)
  await visitor.sees('storage: the first slot', page.locator('tbody tr').first(), `4d`)
  await visitor.inspect('storage')
}

/** A transaction that misses an earlier one: the pool and its own page say which. */
async function checkPool(visitor: Visitor, sender: Sender): Promise<void> {
  const { page } = visitor
  await visitor.open('pool')
  await visitor.sees('pool: it is empty', page.locator('.empty'), 'No transaction waits.')
  const nonce = await sender.reader.getTransactionCount({ address: sender.address })
  const hash = await sender.sendAt(nonce + 1, { to: receiver, value: 1n, gas: 21_000n })
  const rows = page.getByRole('group', { name: 'Pool' }).locator('tbody tr')
  await visitor.sees('pool: what a queued transaction waits for', rows, `nonce ${nonce} is missing`)
  await visitor.inspect('pool')
  await visitor.open(`tx/${hash}`)
  await visitor.sees('transaction: what it waits for', page.locator('.facts dd'), `nonce ${nonce} is missing`)
  await visitor.inspect('waiting-transaction')
  await sender.mine({ to: receiver, value: 1n, gas: 21_000n })
  await visitor.sees('transaction: it is mined with the missing one', page.locator('.facts dd'), 'succeeded')
}

async function checkSearch(checks: Checks, visitor: Visitor, story: Story): Promise<void> {
  const { page } = visitor
  const field = page.getByRole('searchbox')
  async function find(text: string, route: string): Promise<void> {
    await field.fill(text)
    await field.press('Enter')
    await checks.step(`search: ${route}`, () => page.waitForURL((url) => url.hash === `#/${route}`))
  }
  await find('3', 'block/3')
  // A page that is left before it has loaded was not looked at.
  await visitor.sees('search: the block is shown', page.getByLabel('Blocks before and after'), '2')
  await find(story.transfer, `tx/${story.transfer}`)
  await find(story.token, `address/${story.token.toLowerCase()}`)
  // As far as it was copied.
  await field.fill(story.transfer.slice(0, 12))
  await field.press('Enter')
  await visitor.sees('search: a part of a hash is no block', page.locator('.empty'), 'A hash has 64 hexadecimal digits')
  const known: readonly (readonly [path: string, heading: RegExp])[] = [
    [`address/${story.token}`, /Contract/],
    [`token/${story.token}`, /Token/],
    [`tx/${story.transfer}`, /Transaction/],
    ['block/3', /Block 3/],
  ]
  for (const [path, heading] of known) {
    await page.goto(new URL(path, page.url()).href)
    await visitor.sees(`addresses of other explorers: ${path}`, page.locator('h1'), heading)
    checks.equal(`it is the page itself: ${path}`, new URL(page.url()).hash, `#/${path}`)
  }
  // There is a token whose name has a script in it.
  await field.fill('<script>nobody')
  await field.press('Enter')
  await visitor.sees('search: nothing found, in words', page.locator('.empty'), '<script>nobody')
  await visitor.inspect('search')
  await field.focus()
  await visitor.sees('search: what was looked at lately', page.locator('.recent a'), 'Block 3')
}
