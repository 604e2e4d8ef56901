import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Checks } from './checks.ts'
import { outputOf } from './command.ts'
import { createManagerProcess } from './managerProcess.ts'
import { createNodeProcess } from './nodeProcess.ts'
import { quoinProgram } from './quoinProcess.ts'
import { eventually } from './rpcNode.ts'
import { stopAll } from './stopAll.ts'

/** A payload, and the managers that take part in it by their numbers: 1 is the first Tessera. */
export interface SentPayload {
  readonly key: string
  readonly from: number
  readonly to: readonly number[]
  readonly payload: string
}

export interface ImportTerms {
  readonly checks: Checks
  readonly peersDir: string
  /** The folder of the Tesseras, which are stopped. */
  readonly tesseras: string
  readonly folder: string
  readonly sent: readonly SentPayload[]
  /** A group of both Tesseras. */
  readonly group: { readonly privacyGroupId: string }
  /** The ports that the Tesseras had begin here. */
  readonly basePort: number
}

async function post(url: string, path: string, body: object): Promise<{ status: number; text: string }> {
  const type = path === '/receive' ? 'application/vnd.orion.v1+json' : 'application/json'
  const headers = { 'content-type': type }
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

/** Puts Quoin's manager in the place of the first Tessera, with its keys, payloads and groups; the second one stays. */
export async function checkImport(terms: ImportTerms): Promise<void> {
  const { checks, peersDir, tesseras, folder, sent, group, basePort } = terms
  const home = join(tesseras, 'node1')
  const config = join(home, 'config.json')
  const data = join(folder, 'moved')
  const dump = join(folder, 'export.sql')
  const run = (...args: readonly string[]) =>
    outputOf(process.execPath, [
      ...[quoinProgram, `--data-path=${data}`, 'privacy-manager', 'import', `--from-tessera=${config}`],
      ...args,
    ])

  await checks.step('the import says how to export the database', async () => {
    const said = await run()
    if (!said.includes(`org.h2.tools.Script -url 'jdbc:h2:${home}/db' -user 'sa'`)) throw new Error(said)
  })
  await outputOf('java', [
    ...['-cp', h2Jar(), 'org.h2.tools.Script', '-url', `jdbc:h2:${home}/db`, '-user', 'sa', '-password', ''],
    ...['-script', dump],
  ])
  checks.note((await run(`--payloads=${dump}`)).split('\n')[1]!)

  // The ports of the first Tessera.
  const [nodePort, peerPort] = [basePort, basePort + 1]
  const nodeUrl = `http://127.0.0.1:${nodePort}/`
  const second = createNodeProcess({
    ...{ name: 'tessera', httpPort: basePort + 3, logFile: join(folder, 'second.log') },
    command: join(peersDir, 'tessera/tessera'),
    args: ['--configfile', join(tesseras, 'node2/config.json')],
  })
  const secondUrl = `http://127.0.0.1:${basePort + 3}/`
  const moved = createManagerProcess({ folder: data, nodePort, peerPort })
  await stopAll([moved, second], async () => {
    moved.start(`--peers=http://127.0.0.1:${basePort + 4}/`)
    await eventually('the manager is up', async () => (await fetch(new URL('/upcheck', nodeUrl))).ok)
    for (const { key, from, to, payload } of sent) {
      const { status, text } = await post(nodeUrl, '/receive', { key, to: null })
      const takesPart = from === 1 || to.includes(1)
      checks.equal(`${key} after the move`, status, takesPart ? 200 : 404)
      if (takesPart) checks.equal('its text', (JSON.parse(text) as { payload: string }).payload === payload, true)
    }
    const retrieved = await post(nodeUrl, '/retrievePrivacyGroup', { privacyGroupId: group.privacyGroupId })
    checks.equal('a group after the move', JSON.parse(retrieved.text), group)

    second.start()
    const payload = Buffer.from(Buffer.from('after the move').toString('base64')).toString('base64')
    const from = readFileSync(join(tesseras, 'node2/key.pub'), 'utf8')
    await checks.step('the other Tessera sends to the group as before', () =>
      eventually('a payload arrives', async () => {
        const answer = await post(secondUrl, '/send', { payload, from, privacyGroupId: group.privacyGroupId })
        if (answer.status !== 200) return false
        const { key } = JSON.parse(answer.text) as { key: string }
        return (await post(nodeUrl, '/receive', { key, to: null })).status === 200
      }),
    )
  })
}

/** The library that reads Tessera's database, where the peer program keeps those of Tessera. */
function h2Jar(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tessera-peer')
  for (const version of readdirSync(cache, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const lib = join(cache, version.name, 'lib')
    const jar = readdirSync(lib).find((name) => /^h2-.*\.jar$/.test(name))
    if (jar !== undefined) return join(lib, jar)
  }
  throw new Error(`no H2 in ${cache}`)
}
