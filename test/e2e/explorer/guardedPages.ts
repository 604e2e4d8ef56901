import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Hex } from 'viem'
import { hashPassword } from '../../../src/auth/passwords.ts'
import type { Checks } from '../../interop/checks.ts'
import { createNodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { accounts } from '../../interop/toolChain.ts'
import { freePort } from '../../support/freePort.ts'
import { type Visitor, visit } from './visitor.ts'

const [alice, bob] = ['alice', 'bob']
const password = 'a long password'
const allowed = accounts.slice(0, 2).map(({ address }) => address as Hex)
/** Somebody who is allowed, and not any more. */
const newcomer = `0x${'ab'.repeat(20)}`
const node = `enode://${'ab'.repeat(64)}@127.0.0.1:30303`

/** Writes the files of a node with users and allowlists: Alice may do all, Bob may not see the lists. Returns its options. */
async function writeFiles(folder: string): Promise<readonly string[]> {
  const user = async (name: string, permissions: readonly string[]) =>
    `[Users.${name}]\npassword = "${await hashPassword(password)}"\npermissions = ${JSON.stringify(permissions)}\n`
  const users = join(folder, 'users.toml')
  writeFileSync(users, `${await user(alice!, ['*:*'])}\n${await user(bob!, ['eth:*', 'net:*', 'web3:*'])}`)
  const lists = join(folder, 'lists.toml')
  writeFileSync(lists, `accounts-allowlist = ${JSON.stringify(allowed)}\nnodes-allowlist = ${JSON.stringify([node])}\n`)
  return [
    '--rpc-http-authentication-enabled',
    `--rpc-http-authentication-credentials-file=${users}`,
    '--permissions-accounts-config-file-enabled',
    `--permissions-accounts-config-file=${lists}`,
    '--permissions-nodes-config-file-enabled',
    `--permissions-nodes-config-file=${lists}`,
  ]
}

async function logIn({ page }: Visitor, name: string, secret: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** A node with users and allowlists: logging in, heads over WebSocket with a token, the lists, and who may not see them. */
export async function checkGuardedPages(checks: Checks, browser: Browser, folder: string): Promise<void> {
  const [httpPort, port] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const guarded = createNodeProcess({
    name: 'guarded',
    httpPort,
    logFile: join(folder, 'guarded.log'),
    command: process.execPath,
    args: [
      ...[quoinProgram, `--data-path=${join(folder, 'guarded')}`, `--rpc-http-port=${httpPort}`],
      ...['--rpc-http-api=ETH,NET,WEB3,PERM', '--rpc-ws-enabled=false', '--graphql-http-enabled=false'],
      ...['--explorer-enabled', `--explorer-http-port=${port}`, ...(await writeFiles(folder))],
    ],
  })
  await stopAll([guarded], async () => {
    guarded.start()
    await eventually('the explorer answers', async () => (await fetch(url)).ok)
    await checkAlice(checks, await visit(browser, url, checks))
    await checkBob(await visit(browser, url, checks))
  })
}

async function checkAlice(checks: Checks, visitor: Visitor): Promise<void> {
  const { page } = visitor
  try {
    await logIn(visitor, alice!, 'not it')
    await visitor.sees('login: a wrong password', page.locator('.outcome'), 'not accepted')
    await visitor.inspect('login')
    await logIn(visitor, alice!, password)
    await visitor.sees('login: the network', page.locator('.big[data-head]'), '0')
    await visitor.sees(
      'login: heads come over WebSocket with the token',
      page.locator('.liveness[title*="over WebSocket"]'),
      '',
    )
    await visitor.open('permissions')
    const entries = (name: string) => page.getByRole('region', { name }).locator('li')
    await visitor.sees('permissions: an account', entries('Accounts'), allowed[0]!)
    checks.equal('permissions: all accounts', await entries('Accounts').count(), allowed.length)
    await visitor.sees('permissions: the node', entries('Nodes'), node)
    await visitor.sees(
      'permissions: no contract decides',
      page.getByRole('region', { name: 'Contracts' }),
      'No contract',
    )
    await page.getByLabel('Address of an account').fill(newcomer)
    await page.getByRole('region', { name: 'Accounts' }).getByRole('button', { name: 'Add' }).click()
    await visitor.sees('permissions: an account is added', entries('Accounts'), newcomer)
    await entries('Accounts').filter({ hasText: newcomer }).getByRole('button', { name: 'Remove' }).click()
    await entries('Accounts').filter({ hasText: newcomer }).getByRole('button', { name: 'Yes' }).click()
    await checks.step('permissions: and removed', () =>
      entries('Accounts').filter({ hasText: newcomer }).waitFor({ state: 'detached' }),
    )
    await visitor.inspect('permissions')
  } finally {
    // Before and while somebody logs in.
    await visitor.leave(/status of 401/)
  }
}

async function checkBob(visitor: Visitor): Promise<void> {
  const { page } = visitor
  try {
    await logIn(visitor, bob!, password)
    await page.locator('.big[data-head]').waitFor()
    await visitor.open('permissions')
    await visitor.sees('permissions: not for this user', page.locator('.failed'), 'Your user may not see this.')
  } finally {
    await visitor.leave(/status of 401/)
  }
}
