import type { Browser } from 'playwright-core'
import type { Checks } from '../../interop/checks.ts'
import { type Visitor, visit } from './visitor.ts'

const nobody = '0x00000000000000000000000000000000000b0552'

/** Pages of a chain that has no block after genesis, and what each says instead of an empty table. */
const pages: readonly (readonly [name: string, route: string, place: string, text: string | RegExp])[] = [
  ['network', '', '.card', 'as soon as there are some'],
  ['blocks', 'blocks', 'tbody tr', 'at genesis'],
  ['genesis', 'block/0', '.facts', 'none: this is genesis'],
  ['transactions', 'transactions', '.empty', 'There are no transactions yet'],
  ['tokens', 'tokens', '.empty', 'No contract has emitted transfers of tokens'],
  ['token', `token/${nobody}`, '.facts', 'none so far'],
  ['holders', `token/${nobody}/holders`, '.empty', 'has emitted no transfers'],
  ['account', `address/${nobody}`, '.empty', 'No transaction has touched this account'],
  ['account-tokens', `address/${nobody}/tokens`, '.empty', 'has no tokens'],
  ['account-transfers', `address/${nobody}/transfers`, '.empty', 'no transfers of tokens'],
  ['internal', `address/${nobody}/internal`, '.empty', 'no internal transactions'],
  ['code', `address/${nobody}/code`, '.empty', 'no code'],
  ['balance', `address/${nobody}/balance`, '.chart', ''],
  ['transaction', `tx/0x${'12'.repeat(32)}`, '.empty', 'knows no transaction'],
  ['block', 'block/17', '.empty', 'not there yet'],
  ['nowhere', 'nothing/here', '.empty', 'nothing at this address'],
]

/** A chain of which there is nothing to show yet: each page says so in words. */
export async function checkEmptyPages(checks: Checks, browser: Browser, url: string): Promise<void> {
  const visitor: Visitor = await visit(browser, url, checks)
  try {
    for (const [name, route, place, text] of pages) {
      await visitor.open(route)
      await visitor.sees(`empty: ${name}`, visitor.page.locator(place), text)
      await visitor.inspect(`empty-${name}`)
    }
    await visitor.open('')
    checks.equal('empty: whether there are peers is told', await visitor.fact('Peers'), 'P2P is off')
  } finally {
    await visitor.leave()
  }
}
