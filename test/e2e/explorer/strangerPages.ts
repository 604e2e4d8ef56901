import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Checks } from '../../interop/checks.ts'
import { type ToolChain, withDevChain } from '../../interop/toolChain.ts'
import { createSourceClient } from '../../sources/client.ts'
import { compile } from '../../sources/solidity.ts'
import { freePort } from '../../support/freePort.ts'
import { createSender, type Sender } from './sender.ts'
import { receiver } from './story.ts'
import { boastfulInput, harm, proxyInput, strangerAbi, strangerInput } from './strangerContracts.ts'
import { type Visitor, visit } from './visitor.ts'

const abi = parseAbi([
  'function say(string what)',
  'function pay() payable returns (address)',
  'function move(address to, uint256 value)',
])

interface StrangerStory {
  readonly implementation: Hex
  readonly proxy: Hex
  readonly token: Hex
  readonly said: Hex
  readonly paid: Hex
  readonly moved: Hex
}

async function makeContracts(sender: Sender): Promise<StrangerStory> {
  const create = async (code: string, data: string) =>
    (await sender.mine({ data: `0x${code}${data.slice(2)}`, gas: 3_000_000n })).contractAddress!
  const call = async (to: Hex, data: Hex, value = 0n) =>
    (await sender.mine({ to, data, value, gas: 1_000_000n })).transactionHash
  const implementation = await create(
    compile(strangerInput()).code,
    encodeAbiParameters([{ type: 'string' }], [`${harm.script}${harm.image}`]),
  )
  const proxy = await create(compile(proxyInput).code, encodeAbiParameters([{ type: 'address' }], [implementation]))
  const token = await create(compile(boastfulInput).code, '0x')
  const say = encodeFunctionData({ abi, functionName: 'say', args: [`${harm.image}${harm.turned}`] })
  const said = await call(proxy, say)
  const paid = await call(proxy, encodeFunctionData({ abi, functionName: 'pay' }), 5n)
  const moved = await call(token, encodeFunctionData({ abi, functionName: 'move', args: [receiver, 2n ** 255n] }))
  return { implementation, proxy, token, said, paid, moved }
}

/** Pages full of what strangers wrote: names, sources, ABIs, tokens, texts in calls and events. All of it is text, and none of it runs. */
export async function checkStrangerPages(checks: Checks, browser: Browser, folder: string): Promise<void> {
  const port = await freePort()
  const names = join(folder, 'names.json')
  writeFileSync(names, '{}')
  const options = [
    ...[`--explorer-http-port=${port}`, `--address-names-file=${names}`],
    ...['--explorer-sources-enabled', '--explorer-sources-open-abis'],
  ]
  await withDevChain(
    join(folder, 'strangers'),
    async (chain) => {
      const sender = createSender(chain.url)
      const story = await makeContracts(sender)
      writeFileSync(names, JSON.stringify({ [story.token]: `${harm.image}${harm.turned}`, [receiver]: harm.link }))
      const client = createSourceClient(`http://127.0.0.1:${port}/`)
      const job = await client.verify(story.implementation, strangerInput())
      checks.equal('sources: the contract is verified', job.json['contract']?.match, 'exact_match')
      const given = await client.post('sources/abi', { address: story.token, abi: strangerAbi })
      checks.equal('ABIs: anything that is JSON may be given', given.status, 200)
      const visitor = await visit(browser, `http://127.0.0.1:${port}`, checks)
      try {
        await checkSources(visitor, story)
        await checkProxy(checks, visitor, chain, story)
        await checkBoastful(checks, visitor, story)
      } finally {
        await visitor.leave()
      }
    },
    options,
  )
}

async function checkSources(visitor: Visitor, { implementation }: StrangerStory): Promise<void> {
  const { page } = visitor
  await visitor.open(`address/${implementation}/code`)
  await visitor.sees('sources: verified', page.getByRole('region', { name: 'Verified sources' }), 'verified exactly')
  await visitor.sees('sources: what its constructor was given', page.locator('.decoded'), harm.script)
  await visitor.sees('sources: comments are text', page.locator('.lines li'), `${harm.script}${harm.image}`)
  await visitor.sees('sources: turned words are marked', page.locator('.lines li'), '\\u{202e}')
  await visitor.sees('sources: long lines are cut', page.locator('.lines li'), 'more characters')
  await visitor.sees('sources: names of files are text', page.locator('.source summary'), '<img src=x')
  await page.locator('.source summary').last().click()
  await visitor.inspect('sources')
  await visitor.open(`address/${implementation}/storage`)
  await visitor.sees('sources: variables by name', page.getByRole('group', { name: 'Variables' }), /motto.*owner/s)
  await visitor.inspect('variables')
}

async function checkProxy(checks: Checks, visitor: Visitor, chain: ToolChain, story: StrangerStory): Promise<void> {
  const { page } = visitor
  const { proxy, implementation } = story
  await visitor.open(`address/${proxy}`)
  await visitor.sees(
    'proxy: where it passes calls on',
    page.locator('.facts > div').filter({ hasText: 'Implementation' }),
    new RegExp(`${implementation.slice(0, 8)}.*EIP-1967`, 'i'),
  )
  await visitor.sees('proxy: its functions by name in lists', page.locator('tbody .tag'), 'say')
  await visitor.inspect('proxy')
  await visitor.open(`tx/${story.said}`)
  await visitor.sees('proxy: input decoded', page.locator('.decoded').first(), `${harm.image}\\u{202e}`)
  await visitor.sees('proxy: event decoded', page.locator('.logs .decoded'), 'Said')
  await visitor.inspect('proxy-transaction')
  await visitor.open(`tx/${story.paid}`)
  const calls = page.getByRole('group', { name: 'Calls' }).locator('tbody tr')
  await visitor.sees('trace: a precompiled contract by its name', calls, 'ecRecover')
  await visitor.sees('trace: ether that is sent is no transfer', calls, /Send ether\s+5 wei/)
  await visitor.sees('small amounts in small units', page.locator('.facts dd'), /^5 wei$/)
  await visitor.inspect('proxy-trace')
  await visitor.open(`address/${proxy}/internal`)
  await visitor.sees('internal: what the proxy did', page.locator('tbody tr'), /DELEGATECALL/)
  await visitor.inspect('internal-transactions')
  await visitor.open(`address/${proxy}/calls`)
  const form = (name: string) =>
    page.locator('form.call-form').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await form('refuse').getByRole('button').click()
  await visitor.sees('proxy: errors of the implementation', form('refuse').locator('.outcome'), 'Refused(why: <img')
  await form('owner').getByRole('button').click()
  await visitor.sees('proxy: its own state', form('owner').locator('.outcome'), 'address')
  await visitor.sees('writing needs a wallet', page.getByRole('region', { name: 'Write' }), 'There is no wallet')
  await form('say').getByRole('button').click()
  await visitor.sees('writing: the wallet is missed', form('say').locator('.outcome'), 'There is no wallet')
  checks.equal(
    'proxy: slot 0 is that of the proxy',
    (await slot(chain, proxy)) === (await slot(chain, implementation)),
    false,
  )
  await visitor.inspect('proxy-calls')
}

const slot = (chain: ToolChain, address: Hex) => chain.call<Hex>('eth_getStorageAt', address, '0x0', 'latest')

async function checkBoastful(checks: Checks, visitor: Visitor, { token, moved }: StrangerStory): Promise<void> {
  const { page } = visitor
  await visitor.open('tokens')
  await visitor.sees('tokens: a name of a mebibyte is cut', page.locator('tbody tr'), '…')
  checks.equal('tokens: and short', (await page.locator('main').innerText()).length < 5000, true)
  await visitor.inspect('boastful-tokens')
  await visitor.open(`token/${token}`)
  await visitor.sees('token: decimals that cannot be are none', page.locator('.facts'), /Decimals\s*none/)
  await visitor.inspect('boastful-token')
  await visitor.open(`token/${token}/holders`)
  await visitor.sees('holders: marked as untrue', page.locator('main .failed'), 'do not explain')
  await visitor.inspect('boastful-holders')
  await visitor.open(`tx/${moved}`)
  await visitor.sees(
    'transaction: its token is a link',
    page.getByRole('region', { name: 'Token transfers' }),
    'ERC-20',
  )
  await visitor.inspect('boastful-transaction')
  await visitor.open(`address/${token}`)
  await visitor.sees('names of the operator: text', page.locator('.facts'), `${harm.image}\\u{202e}`)
  await visitor.inspect('named-by-operator')
  await visitor.open(`address/${token}/calls`)
  await visitor.sees('ABI: names of functions are text', page.locator('form.call-form h3'), harm.script)
  checks.equal('ABI: what lacks inputs is left out', await page.getByText('noInputs').count(), 0)
  await visitor.sees('ABI: of a thousand functions some are shown', page.locator('main button'), 'more functions')
  await visitor.inspect('stranger-abi')
  const field = page.getByRole('searchbox')
  await field.fill(harm.script)
  await field.press('Enter')
  await checks.step('search: a token by a script in its name', () =>
    page.waitForURL((url) => url.hash.toLowerCase() === `#/token/${token.toLowerCase()}`),
  )
}
