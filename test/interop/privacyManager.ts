import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { generateKeyPair, plainKeyText, writeKeyFiles } from '../../src/privacyManager/keys.ts'
import type { Interop } from './interop.ts'
import { createManagerProcess } from './managerProcess.ts'
import { eventually } from './rpcNode.ts'
import { stopAll } from './stopAll.ts'
import { checkImport, type SentPayload } from './tesseraImport.ts'
import { type Tessera, withTesseras } from './tesseras.ts'

interface Answer {
  readonly status: number
  readonly body: string
}

async function post(url: string, path: string, body: object): Promise<Answer> {
  const type = path === '/receive' ? 'application/vnd.orion.v1+json' : 'application/json'
  const headers = { 'content-type': type }
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.text() }
}

async function ask<T>(url: string, path: string, body: object): Promise<T> {
  const { status, body: text } = await post(url, path, body)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return JSON.parse(text) as T
}

interface Group {
  readonly privacyGroupId: string
}

const payload = Buffer.from(Buffer.from('a private transaction').toString('base64')).toString('base64')
const large = Buffer.alloc(900_000, 'large').toString('base64')

/** Quoin's manager beside real Tesseras, in both directions. */
export const privacyManager: Interop = {
  name: 'privacy-manager',
  doc: "Quoin's private transaction manager among Tesseras: payloads, groups, deletion, resending.",
  needs: ['tessera'],
  async run({ checks, folder, peersDir, basePort }) {
    const own = generateKeyPair()
    const [nodePort, peerPort] = [basePort + 20, basePort + 21]
    const nodeUrl = `http://127.0.0.1:${nodePort}/`
    const data = join(folder, 'quoin')
    writeKeyFiles(join(data, 'privacy.key'), own, plainKeyText(own, 'tessera'))
    const quoin = createManagerProcess({ folder: data, nodePort, peerPort })
    const sent: SentPayload[] = []
    let lastGroup: Group | undefined

    await withTesseras(peersDir, join(folder, 'tesseras'), 2, basePort, (tesseras) =>
      stopAll([quoin], async () => {
        const [first, second] = tesseras as readonly [Tessera, Tessera]
        // The other one is found through the first.
        const start = () => quoin.start(`--peers=${first.peerUrl}`)
        const all: readonly { readonly url: string; readonly key: string }[] = [
          { url: nodeUrl, key: own.name },
          ...tesseras.map((tessera) => ({ url: tessera.nodeUrl, key: tessera.key })),
        ]
        const keysAt = async (url: string) => {
          const { keys } = (await (await fetch(new URL('/partyinfo', url))).json()) as { keys: { key: string }[] }
          return keys.map(({ key }) => key)
        }
        const meet = () =>
          eventually('all managers know each other', async () => {
            const urls = [`http://127.0.0.1:${peerPort}`, ...tesseras.map(({ peerUrl }) => peerUrl)]
            const known = await Promise.all(urls.map((url) => keysAt(url).catch((): string[] => [])))
            return known.every((keys) => all.every(({ key }) => keys.includes(key)))
          })

        start()
        await checks.step('every manager lists the keys of all others', meet)

        const pairs: readonly (readonly [from: number, to: readonly number[], payload: string])[] = [
          [0, [1], payload],
          [1, [0], payload],
          [0, [1, 2], payload],
          [2, [0, 1], payload],
          [0, [1], large],
          [1, [0], large],
        ]
        for (const [from, to, content] of pairs)
          await checks.step(`${from} sends ${content.length} characters to ${to}`, async () => {
            const request = { payload: content, from: all[from]!.key, to: to.map((n) => all[n]!.key) }
            const { key } = await ask<{ key: string }>(all[from]!.url, '/send', request)
            sent.push({ key, from, to, payload: content })
          })
        const compare = async () => {
          for (const { key, from, to, payload: content } of sent) {
            const answers = await Promise.all(all.map(({ url }) => post(url, '/receive', { key, to: null })))
            const members = [from, ...to]
            checks.equal(
              `${key} is read by ${members} alone`,
              answers.map(({ status }) => status),
              all.map((_, n) => (members.includes(n) ? 200 : 404)),
            )
            const opened = members.map((n) => JSON.parse(answers[n]!.body) as { payload?: string; senderKey?: string })
            checks.equal(
              `${key} is the same for all of them`,
              opened.map((one) => [
                one.payload === content,
                one.senderKey,
                answers[from]!.body === JSON.stringify(one),
              ]),
              members.map(() => [true, all[from]!.key, true]),
            )
          }
        }
        await compare()

        for (const [from, other] of [
          [0, 1],
          [1, 0],
        ] as const) {
          const [maker, member, outsider] = [all[from]!, all[other]!, all[2]!]
          const addresses = [maker.key, member.key]
          const request = { addresses, from: maker.key, name: 'interop', description: 'both' }
          const group = await ask<Group>(maker.url, '/createPrivacyGroup', request)
          const id = { privacyGroupId: group.privacyGroupId }
          checks.equal(
            `a group of ${from} is known to ${other}`,
            await ask(member.url, '/retrievePrivacyGroup', id),
            group,
          )
          checks.equal('not to others', (await post(outsider.url, '/retrievePrivacyGroup', id)).status, 404)
          for (const [sender, receiver] of [
            [maker, member],
            [member, maker],
          ] as const) {
            const { key } = await ask<{ key: string }>(sender.url, '/send', { payload, from: sender.key, ...id })
            const got = await ask<object>(receiver.url, '/receive', { key, to: receiver.key })
            checks.equal(`a payload to the group of ${from}`, got, { payload, ...id, senderKey: sender.key })
          }
          checks.equal(
            'found by its members',
            await ask<Group[]>(member.url, '/findPrivacyGroup', { addresses }).then((groups) =>
              groups.some(({ privacyGroupId }) => privacyGroupId === group.privacyGroupId),
            ),
            true,
          )
          await ask(member.url, '/deletePrivacyGroup', { ...id, from: member.key })
          for (const { url } of [maker, member])
            checks.equal('deleted at all members', (await post(url, '/retrievePrivacyGroup', id)).status, 404)
        }

        const stranger = generateKeyPair().name
        for (const { url, key } of all) {
          const request = { addresses: [...all.map((one) => one.key), stranger], from: key, name: '', description: '' }
          const refused = await post(url, '/createPrivacyGroup', request)
          checks.equal('an unknown member', refused, { status: 404, body: `Recipient not found for key: ${stranger}` })
        }
        const left = await ask<Group[]>(first.nodeUrl, '/findPrivacyGroup', {
          addresses: [...all.map(({ key }) => key), stranger],
        })
        checks.note(`groups that were never made, left at a Tessera by the other Tessera: ${left.length}`)

        const ours = sent[0]!
        const individual = await fetch(new URL('/resend', `http://127.0.0.1:${peerPort}`), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ type: 'INDIVIDUAL', publicKey: first.key, key: ours.key }),
        })
        checks.equal('a single payload is sent again', individual.status, 200)

        await quoin.kill()
        start()
        await checks.step('the manager is back after kill -9', meet)
        await compare()

        await quoin.stop()
        rmSync(join(data, 'privacy'), { recursive: true })
        start()
        await checks.step('the manager is back without its store', meet)
        await checks.step('all payloads come back from the Tesseras', () =>
          eventually('all payloads are back', async () => {
            const mine = sent.filter(({ from, to }) => from === 0 || to.includes(0))
            const answers = await Promise.all(mine.map(({ key }) => post(nodeUrl, '/receive', { key, to: null })))
            return answers.every(({ status }) => status === 200)
          }),
        )
        await compare()
        const [one, two] = [all[1]!, all[2]!]
        const members = { addresses: [one.key, two.key], from: one.key, name: 'moves', description: '' }
        lastGroup = await ask<Group>(one.url, '/createPrivacyGroup', members)
        checks.equal(
          'a Tessera that asks for all is sent all',
          (await post(`http://127.0.0.1:${peerPort}`, '/resend', { type: 'ALL', publicKey: second.key })).status,
          200,
        )
      }),
    )
    await checkImport({
      checks,
      peersDir,
      tesseras: join(folder, 'tesseras'),
      folder,
      sent,
      group: lastGroup!,
      basePort,
    })
  },
}
