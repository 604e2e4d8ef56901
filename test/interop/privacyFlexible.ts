import { toHex } from '../../src/primitives/hex.ts'
import { toBase64 } from '../../src/privacy/enclave/base64.ts'
import { createRandom } from '../fuzz/random.ts'
import { calls, type FlexibleCall } from '../support/flexibleCalls.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { type PrivateMember, withPrivateNetwork } from './privateNetwork.ts'
import { compareGroup, type PrivateGroup, receiptOfAll, sendPrivate, sendRandom, type Tally } from './privateRounds.ts'
import { bytesOf, deployPublic, seed, someBlocks, tell } from './privateWorld.ts'

/** Flexible groups: Besu adds Quoin and Quoin adds Besu, which execute each other's histories. */
async function run(terms: InteropTerms): Promise<void> {
  const { checks } = terms
  const random = createRandom(seed)
  await withPrivateNetwork(terms, ['--privacy-flexible-groups-enabled'], async (members) => {
    const [a, b, c, d] = members as readonly [PrivateMember, PrivateMember, PrivateMember, PrivateMember]
    const strangers = await deployPublic(a)
    const tally: Tally = { sent: 0, statuses: new Map() }
    const owner = 31n

    async function manage(
      group: PrivateGroup,
      through: PrivateMember,
      call: Required<Pick<FlexibleCall, 'to' | 'data'>>,
    ): Promise<void> {
      const marker = await sendPrivate(group, through, owner, { to: toHex(call.to), data: call.data })
      const { status } = await receiptOfAll(checks, group, marker)
      if (status !== '0x1') throw new Error(`management of ${group.name} ended with ${status}`)
    }
    const add = (...who: readonly PrivateMember[]) => calls.add(...who.map(bytesOf))

    async function create(name: string, by: PrivateMember, ...others: readonly PrivateMember[]): Promise<PrivateGroup> {
      const privacyGroupId = random.bytes(32)
      const recipients = () => ({ privacyGroupId })
      const accounts = [owner, 32n, 33n]
      const group = {
        name,
        id: toBase64(privacyGroupId),
        members: [by, ...others],
        recipients,
        accounts,
        contracts: [],
      }
      await checks.step(`${name} is created`, () => manage(group, by, add(by, ...others)))
      return group
    }
    async function extend(group: PrivateGroup, through: PrivateMember, ...who: readonly PrivateMember[]) {
      const names = who.map(({ node }) => node.name).join(', ')
      await checks.step(`${through.node.name} adds ${names} to ${group.name}`, async () => {
        await manage(group, through, calls.lock)
        const before = group.members
        group.members = [...before, ...who]
        await manage(group, through, add(...who))
      })
      await compareGroup(checks, group, await someBlocks(group.members))
    }
    const use = (groups: readonly PrivateGroup[], count: number) =>
      checks.step(`${count} more random private transactions`, () =>
        sendRandom(checks, random, groups, { count, strangers, tally }),
      )

    const first = await create('a group of Besu', a, c)
    const second = await create('a group of Quoin', b)
    await use([first, second], 30)
    await extend(first, a, b)
    await extend(second, b, a, c)
    await use([first, second], 30)
    await extend(first, b, d)
    await checks.step('a Besu is removed', async () => {
      second.members = [b, a]
      await manage(second, b, calls.remove(bytesOf(c)))
    })
    await use([first, second], 30)
    await extend(second, a, c)
    await use([first, second], 30)
    tell(checks, 'flexible groups', tally)
    for (const group of [first, second]) await compareGroup(checks, group, await someBlocks(group.members))
    const found = await d.node.call<unknown[]>('privx_findFlexiblePrivacyGroup', [])
    checks.equal('who is outside of a group does not find it', found.length, 1)
  })
}

/** Flexible groups of Quoin and Besu, each with a manager of either make. */
export const privacyFlexible: Interop = {
  name: 'privacy-flexible',
  doc: 'Flexible groups of Quoin and Besu: members are added, removed and added again by either.',
  needs: ['besu', 'tessera'],
  run,
}
