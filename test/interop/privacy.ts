import { fromBase64, toBase64 } from '../../src/privacy/enclave/base64.ts'
import { groupIdOf } from '../../src/privacy/enclave/groupId.ts'
import { createRandom } from '../fuzz/random.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { type PrivateMember, withPrivateNetwork } from './privateNetwork.ts'
import { publicCodes } from './privatePrograms.ts'
import { accountOf, compareGroup, type PrivateGroup, sendRandom, type Tally } from './privateRounds.ts'
import { bytesOf, deployPublic, seed, sendPublic, someBlocks, tell } from './privateWorld.ts'

/** Groups that managers keep: two that are created, and one of the parties that transactions name. */
async function managedGroups(members: readonly PrivateMember[]): Promise<readonly PrivateGroup[]> {
  const create = async (name: string, by: PrivateMember, of: readonly PrivateMember[], accounts: readonly bigint[]) => {
    const addresses = of.map(({ key }) => key)
    const id = await by.node.call<string>('priv_createPrivacyGroup', { addresses, name, description: '' })
    const recipients = () => ({ privacyGroupId: fromBase64(id)! })
    return { name, id, members: of, recipients, accounts, contracts: [] }
  }
  const [a, b, c] = members as readonly [PrivateMember, PrivateMember, PrivateMember]
  const named = [b, c]
  return [
    await create('group of all', b, members, [1n, 2n, 3n, 4n]),
    await create('group of three', a, [a, b, c], [11n, 12n]),
    {
      name: 'parties of transactions',
      id: toBase64(groupIdOf(named.map(bytesOf))),
      members: named,
      recipients: (from) => ({ privateFor: named.filter((one) => one !== from).map(bytesOf) }),
      accounts: [21n, 22n],
      contracts: [],
    },
  ]
}

async function run(terms: InteropTerms): Promise<void> {
  const { checks } = terms
  const random = createRandom(seed)
  await withPrivateNetwork(terms, [], async (members) => {
    const groups = await managedGroups(members)
    const strangers = await deployPublic(members[0]!)
    const tally: Tally = { sent: 0, statuses: new Map() }
    for (let i = 0; i < 5; i++) {
      await checks.step(`${40 * (i + 1)} random private transactions have one receipt each`, () =>
        sendRandom(checks, random, groups, { count: 40, strangers, tally }),
      )
      // Private code sees what it finds in public.
      await sendPublic(members[0]!, BigInt(publicCodes.length + i), strangers[1]!.address, new Uint8Array(0))
    }
    tell(checks, 'groups that managers keep', tally)
    const blocks = await someBlocks(members)
    // Besu tells the root of named parties only where its own manager sent first.
    for (const group of groups) await compareGroup(checks, group, group.id === groups[2]!.id ? [] : blocks)
    const outside = members[3]!.node
    checks.equal(
      'who is outside of a group has nothing of it',
      [
        await outside.call('priv_getCode', groups[1]!.id, groups[1]!.contracts[0]!.address, 'latest'),
        await outside.call('priv_getTransactionCount', accountOf(11n), groups[1]!.id),
        await outside.call('priv_getLogs', groups[1]!.id, { fromBlock: '0x0', toBlock: 'latest' }),
      ],
      [null, '0x0', []],
    )
  })
}

/** Quoin and Besu, each with a manager of either make, in the same groups. */
export const privacy: Interop = {
  name: 'privacy',
  doc: 'Private transactions of Quoin and Besu in the same groups, each with managers of both makes.',
  needs: ['besu', 'tessera'],
  run,
}
